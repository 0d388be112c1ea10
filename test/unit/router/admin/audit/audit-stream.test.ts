import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readRows, scannedMax, type AuditFilter } from "../../../../../router/admin/audit/audit-stream.js";
import { appendReads, appendRows, auditReadsMax, auditRowsMax } from "../../../../../shared/cluster/audit/append-rows.js";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import type { TenantName } from "../../../../../shared/contract/tenant.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const [ours, others] = ["0123456789abcdef01234567", "1123456789abcdef01234567"];
const row = (requestId: string, session = "", tenant = ""): AuditRow => ({
  ...{ at: "2026-11-22T10:00:00.000Z", who: "bootstrap", what: "delete-session", target: "", tenant, session, from: "10.0.0.1", requestId },
  ...{ status: 200, count: 1 },
});
const all: AuditFilter = { since: 0, tenant: "", session: "", limit: 100, after: "" };
const idsOf = async (filter: Partial<AuditFilter> = {}): Promise<[string[], string]> => {
  const { docs, next } = await readRows(redis.client, { ...all, ...filter });
  return [docs.map(({ requestId }) => requestId), next];
};

it("reads the oldest first, a page behind the other", async () => {
  await appendRows(
    redis.client,
    ["1", "2", "3", "4", "5"].map((id) => row(id)),
  );
  const [first, next] = await idsOf({ limit: 2 });
  const [second, last] = await idsOf({ limit: 2, after: next });
  expect([first, second, await idsOf({ limit: 2, after: last })]).toEqual([
    ["1", "2"],
    ["3", "4"],
    [["5"], ""],
  ]);
  expect((await readRows(redis.client, all)).docs[0]).toEqual(row("1"));
});

it("of one session, and since a time on the clock of Redis", async () => {
  await appendRows(redis.client, [row("1", ours), row("2", others), row("3", ours), row("4")]);
  expect(await idsOf({ session: ours })).toEqual([["1", "3"], ""]);
  await appendRows(redis.client, [row("5", ours, "acme"), row("6", others, "acme"), row("7", ours, "other")]);
  expect(await idsOf({ tenant: "acme" })).toEqual([["5", "6"], ""]);
  expect(await idsOf({ tenant: "acme", session: ours })).toEqual([["5"], ""]);
  const [entry] = await redis.client.xrange(keys.audit, "-", "+");
  const at = Number(entry?.[0].split("-")[0]);
  expect([await idsOf({ since: at }), await idsOf({ since: at + 60_000 })]).toEqual([
    [["1", "2", "3", "4", "5", "6", "7"], ""],
    [[], ""],
  ]);
});

it("scans a bounded number of rows per page and returns an empty page with a next position", async () => {
  await appendRows(redis.client, [...Array.from({ length: scannedMax }, (_, i) => row(String(i))), row("wanted", ours)]);
  const [none, next] = await idsOf({ session: ours });
  expect([none, await idsOf({ session: ours, after: next })]).toEqual([[], [["wanted"], ""]]);
});

it("reads changes and reads together, each once, whatever the pages' length", async () => {
  const wanted: string[] = [];
  for (let i = 0; i < 30; i++) {
    wanted.push(String(i));
    // Entries of both streams in the same millisecond have the same ids.
    await (i % 3 === 0 ? appendReads : appendRows)(redis.client, [row(String(i))]);
  }
  for (const limit of [1, 2, 7, 30, 100]) {
    const found: string[] = [];
    for (let after = ""; ; ) {
      const [ids, next] = await idsOf({ limit, after });
      found.push(...ids);
      if (next === "") break;
      after = next;
    }
    expect(found.sort((a, b) => Number(a) - Number(b))).toEqual(wanted);
  }
});

it.each([1, 2, 7, 30, 100])("reads the newest first, each once, whatever comes meanwhile (pages of %i)", async (limit) => {
  for (let i = 0; i < 30; i++) await (i < 10 ? appendReads : appendRows)(redis.client, [row(String(i))]);
  const found: string[] = [];
  for (let after = ""; ; ) {
    const [ids, next] = await idsOf({ limit, after, isNewestFirst: true });
    found.push(...ids);
    if (next === "") break;
    // The first page may hold no reads. Entries that arrive now must not appear on the next page.
    await appendReads(redis.client, [row("later")]);
    await appendRows(redis.client, [row("later")]);
    after = next;
  }
  // In one millisecond both streams have the same ids, in any order.
  expect(found).toHaveLength(30);
  expect(new Set(found)).toEqual(new Set(Array.from({ length: 30 }, (_, i) => String(i))));
  const [changes, reads] = [found.filter((id) => Number(id) >= 10), found.filter((id) => Number(id) < 10)];
  for (const ids of [changes, reads]) expect(ids).toEqual([...ids].sort((one, other) => Number(other) - Number(one)));
});

it("the newest first, of both streams in one moment, from an instant on, and beside an empty stream", async () => {
  const put = (key: string, id: string): Promise<unknown> =>
    redis.client.xadd(key, id, "r", JSON.stringify(row(`${key === keys.audit ? "change" : "read"} ${id}`)));
  for (const id of ["1000-0", "1000-1", "3000-0"]) await put(keys.audit, id);
  expect(await idsOf({ isNewestFirst: true, limit: 2 })).toEqual([["change 3000-0", "change 1000-1"], "1000-1_0-1"]);
  expect(await idsOf({ isNewestFirst: true, after: "1000-1_0-1" })).toEqual([["change 1000-0"], ""]);
  for (const id of ["1000-0", "2000-0", "3000-0"]) await put(keys.auditReads, id);
  const found: string[] = [];
  for (let after = ""; ; ) {
    const [ids, next] = await idsOf({ isNewestFirst: true, limit: 1, since: 1_000, after });
    found.push(...ids);
    if (next === "") break;
    after = next;
  }
  expect(found.map((text) => text.split(" ")[1])).toEqual(["3000-0", "3000-0", "2000-0", "1000-1", "1000-0", "1000-0"]);
  expect(new Set(found).size).toBe(6);
  expect((await idsOf({ isNewestFirst: true, since: 2_001 }))[0]).toHaveLength(2);
  expect(await idsOf({ isNewestFirst: true, after: "0-0" })).toEqual([[], ""]);
});

it.each([false, true])("leaves out calls by their names (newest first: %s)", async (isNewestFirst) => {
  await appendReads(redis.client, [{ ...row("1"), what: "get-self" }, row("2")]);
  await appendRows(redis.client, [{ ...row("3"), what: "get-self" }, row("4")]);
  const [ids] = await idsOf({ isNewestFirst, without: new Set(["get-self"]) });
  expect(ids.sort()).toEqual(["2", "4"]);
});

it("a flood of reads pushes out reads alone", async () => {
  await appendRows(redis.client, [row("change")]);
  for (let i = 0; i < auditReadsMax + 2_000; i += 2_000)
    await appendReads(
      redis.client,
      Array.from({ length: 2_000 }, () => row("read")),
    );
  expect(await redis.client.xlen(keys.auditReads)).toBeLessThanOrEqual(auditReadsMax + 200);
  expect((await idsOf({ limit: 1 }))[0]).toEqual(["change"]);
});

it("a tenant sees no row of a deleted one that had its name", async () => {
  const [before, now] = ["2026-11-21T10:00:00.000Z", "2026-11-23T10:00:00.000Z"];
  const rows = [row("1", "", "acme"), { ...row("2", "", "acme"), incarnation: before }, { ...row("3", "", "acme"), incarnation: now }];
  await appendRows(redis.client, rows);
  const of = async (incarnation: string): Promise<string[]> =>
    (await idsOf({ tenant: "acme", owner: { tenant: "acme" as TenantName, incarnation } }))[0];
  expect([await of(before), await of(now), (await idsOf())[0]]).toEqual([["1", "2"], ["3"], ["1", "2", "3"]]);
  expect((await readRows(redis.client, all)).docs[2]).toEqual(row("3", "", "acme"));
});

it("passes over what it cannot read", async () => {
  await redis.client.xadd(keys.audit, "*", "r", "{");
  await redis.client.xadd(keys.audit, "*", "other", JSON.stringify({ later: 1 }));
  await appendRows(redis.client, [row("1")]);
  expect(await idsOf()).toEqual([["1"], ""]);
});

it("is bounded, and says so when Redis refuses", async () => {
  for (let i = 0; i < auditRowsMax + 2_000; i += 2_000)
    await appendRows(
      redis.client,
      Array.from({ length: 2_000 }, () => row("x")),
    );
  expect(await redis.client.xlen(keys.audit)).toBeLessThanOrEqual(auditRowsMax + 200);
  await redis.client.set(keys.audit, "no stream");
  await expect(appendRows(redis.client, [row("1")])).rejects.toThrow("WRONGTYPE");
});
