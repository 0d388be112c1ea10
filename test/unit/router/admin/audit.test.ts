import { expect, it } from "vitest";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { parseFilter, visibleTo } from "../../../../router/admin/audit.js";

const session = "0123456789abcdef01234567";

it("takes what it knows", () => {
  expect(parseFilter({ query: {} })).toEqual({ since: 0, tenant: "", session: "", limit: 100, after: "" });
  const query = { since: "2026-11-22T10:00:00+01:00", tenant: "acme", session, limit: "1000", after: "12-3" };
  expect(parseFilter({ query })).toEqual({
    since: Date.parse("2026-11-22T09:00:00Z"),
    tenant: "acme",
    session,
    limit: 1_000,
    after: "12-3",
  });
});

it("takes an order, and leaves out what only read, whatever came of it", () => {
  const { isNewestFirst, without } = parseFilter({ query: { order: "newest", reads: "0" } });
  expect(isNewestFirst).toBe(true);
  for (const name of ["get-self", "list-sessions", "get-session", "list-audit", "stream-events"]) expect(without?.has(name)).toBe(true);
  for (const name of ["drain-member", "create-session", "refused-call", "failed-authentication", "take-over", "others"])
    expect(without?.has(name)).toBe(false);
  expect(parseFilter({ query: { order: "oldest", reads: "1" } })).toEqual(parseFilter({ query: {} }));
});

it.each<[Record<string, string | string[]>, string]>([
  [{ since: "yesterday" }, "since must be a time such as 2026-11-22T10:00:00Z"],
  [{ since: "2026-13-45T10:00:00Z" }, "since must be a time such as 2026-11-22T10:00:00Z"],
  [{ since: "2026-02-30T10:00:00Z" }, "since must be a time such as 2026-11-22T10:00:00Z"],
  [{ since: "1969-12-31T10:00:00Z" }, "since must be a time such as 2026-11-22T10:00:00Z"],
  [{ session: "x" }, "session must be a database id"],
  [{ after: "+" }, "after must be the next of a previous page"],
  [{ limit: "0" }, "limit must be an integer from 1 to 1000"],
  [{ order: "desc" }, "order must be one of the following values: oldest, newest"],
  [{ reads: "no" }, "reads must be one of the following values: 0, 1"],
  [{ order: "" }, "order must be one of the following values: oldest, newest"],
  [{ who: "x" }, "unknown field who"],
  [{ session: [session, session] }, "session must be given once, with at most 256 characters"],
])("%j: 400", (query, message) => {
  expect(() => parseFilter({ query })).toThrow(message);
});

it("a tenant's keys see its own rows, admins all", () => {
  const all = parseFilter({ query: {} });
  const acme = { keyId: "1", role: "read", tenant: "acme" as TenantName, incarnation: "" } as const;
  expect(visibleTo({ keyId: "0", role: "admin" }, all)).toEqual(all);
  expect(visibleTo(acme, all)).toEqual({ ...all, tenant: "acme", owner: acme });
  expect(visibleTo(acme, { ...all, tenant: "acme" })).toEqual({ ...all, tenant: "acme", owner: acme });
  expect(visibleTo(acme, { ...all, tenant: "other" })).toBeUndefined();
});
