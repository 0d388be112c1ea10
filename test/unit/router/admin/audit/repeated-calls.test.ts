import { expect, it } from "vitest";
import { otherKeys, RepeatedCalls } from "../../../../../router/admin/audit/repeated-calls.js";
import type { StoredAuditRow } from "../../../../../shared/cluster/audit/audit-row.js";

const row = (change: Partial<StoredAuditRow> = {}): StoredAuditRow => ({
  ...{ at: "2026-11-22T10:00:00.000Z", who: "k", what: "get-self", target: "self", tenant: "acme", session: "", from: "10.0.0.1" },
  ...{ requestId: "r", status: 200, count: 1 },
  ...change,
});

const read = { isRead: true };

it("keeps keys, calls, tenants, statuses and session secrets apart", () => {
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
  expect(kinds.map((kind) => calls.isFirst(kind, read))).toEqual(kinds.map(() => true));
  expect(kinds.map((kind) => calls.isFirst(kind, read))).toEqual(kinds.map(() => false));
  expect(calls.take().map(({ count }) => count)).toEqual(kinds.map(() => 1));
});

it("counts those behind the first, with the last one's time and address, and begins anew with each period", () => {
  const calls = new RepeatedCalls();
  for (let i = 0; i < 1_000; i++) calls.isFirst(row({ from: `10.0.0.${i % 7}`, session: String(i) }), read);
  expect(calls.take()).toEqual([row({ from: "10.0.0.5", target: "", requestId: "", count: 999 })]);
  expect(calls.take()).toEqual([]);
  expect(calls.isFirst(row(), read)).toBe(true);
});

it("is bounded: what comes later is summed up by tenant and status", () => {
  const calls = new RepeatedCalls();
  const firsts = Array.from({ length: 3_000 }, (_, i) => calls.isFirst(row({ who: `k${i}` }), read));
  expect(firsts.filter(Boolean)).toHaveLength(1_000);
  expect(calls.take()).toEqual([expect.objectContaining({ who: otherKeys, what: otherKeys, tenant: "acme" })]);
});

it("names what a change that failed was for, of some targets of a key", () => {
  const calls = new RepeatedCalls();
  const failed = (session: string): StoredAuditRow => row({ what: "set-proxy", status: 400, target: `sessions/${session}/proxy`, session });
  const tries = [...Array.from({ length: 40 }, (_, at) => failed(String(at))), failed("0"), failed("39")];
  expect(tries.map((one) => calls.isFirst(one, { isRead: false })).filter(Boolean)).toHaveLength(21);
  expect(calls.take()).toEqual([
    { ...failed("0"), requestId: "", count: 1 },
    { ...failed("39"), target: "", session: "", requestId: "", count: 20 },
  ]);
});
