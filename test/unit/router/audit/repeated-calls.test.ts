import { expect, it } from "vitest";
import { otherKeys, RepeatedCalls } from "../../../../router/audit/repeated-calls.js";
import type { StoredAuditRow } from "../../../../shared/audit/audit-row.js";

const row = (change: Partial<StoredAuditRow> = {}): StoredAuditRow => ({
  ...{ at: "2026-11-22T10:00:00.000Z", who: "k", what: "get-self", target: "self", tenant: "acme", session: "", from: "10.0.0.1" },
  ...{ requestId: "r", status: 200, count: 1 },
  ...change,
});

it("tells keys, calls, tenants, statuses and sessions by their own secrets apart", () => {
  const calls = new RepeatedCalls();
  const kinds = [
    row(),
    row({ who: "k2" }),
    row({ what: "list-audit" }),
    row({ tenant: "other" }),
    row({ incarnation: "2026-11-22T09:00:00.000Z" }),
    row({ status: 404 }),
    row({ who: "session", session: "a" }),
    row({ who: "session", session: "b" }),
  ];
  expect(kinds.map((kind) => calls.isFirst(kind))).toEqual(kinds.map(() => true));
  expect(kinds.map((kind) => calls.isFirst(kind))).toEqual(kinds.map(() => false));
  expect(calls.take().map(({ count }) => count)).toEqual(kinds.map(() => 1));
});

it("counts those behind the first, with the last one's time and address, and begins anew with each period", () => {
  const calls = new RepeatedCalls();
  for (let i = 0; i < 1_000; i++) calls.isFirst(row({ from: `10.0.0.${i % 7}`, session: String(i) }));
  expect(calls.take()).toEqual([row({ from: "10.0.0.5", target: "", requestId: "", count: 999 })]);
  expect(calls.take()).toEqual([]);
  expect(calls.isFirst(row())).toBe(true);
});

it("is bounded: what comes later is summed up by tenant and status", () => {
  const calls = new RepeatedCalls();
  const firsts = Array.from({ length: 3_000 }, (_, i) => calls.isFirst(row({ who: `k${i}` })));
  expect(firsts.filter(Boolean)).toHaveLength(1_000);
  expect(calls.take()).toEqual([expect.objectContaining({ who: otherKeys, what: otherKeys, tenant: "acme" })]);
});
