import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseCursor } from "../../../../router/admin/session-cursor.js";
import { SessionDirectory, type DirectoryBounds } from "../../../../router/admin/session-directory.js";
import type { SessionFilter } from "../../../../router/admin/session-filter.js";
import { acquireSlots } from "../../../../shared/cluster/ownership.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { slotCount } from "../../../../shared/limits.js";
import { keys } from "../../../../shared/redis/keys.js";
import { SchemaFollower } from "../../../../shared/cluster/schema/schema-follower.js";
import { raiseSchema } from "../../../../shared/cluster/schema/schema-record.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { summaryOf } from "../../../../shared/session/summary.js";
import { ownedSession, testRing } from "../../../harness/owned-session.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  schema = new SchemaFollower({ redis: redis.client, written: newestSchema, log: silentLog });
});

const { signal } = new AbortController();
const start = { slot: 0, id: "" };
const alive = { lives: () => true, isResponsive: () => true };
let schema: SchemaFollower;
const directory = (bounds: Partial<DirectoryBounds> = {}): SessionDirectory =>
  new SessionDirectory(redis.client, alive, testRing, schema, bounds);

const anyIds = (count: number): SessionId[] => Array.from({ length: count }, () => newSessionId(Date.now()));

/** Each session has its own slot, because a read of a slot returns all of its sessions. */
function idsInSlotsOfTheirOwn(count: number): SessionId[] {
  const bySlot = new Map<number, SessionId>();
  while (bySlot.size < count) {
    const id = newSessionId(Date.now());
    bySlot.set(slotOf(id), id);
  }
  return [...bySlot.values()];
}

/** Stores sessions as a shard does. Even ones are connected, odd ones wait for a QR. */
async function store(count: number, ids = anyIds(count)): Promise<SessionId[]> {
  const writes: Promise<unknown>[] = [];
  for (const [index, id] of ids.entries()) {
    const account = {
      generatedId: "7",
      name: `n${index}`,
      username: `user${index}`,
      phone: `1555${String(index).padStart(4, "0")}`,
      picture: "",
    };
    const state = index % 2 === 0 ? { kind: "connected" as const, account } : { kind: "awaiting-qr" as const, qr: "", elapsedMs: 0 };
    const summary = JSON.stringify(summaryOf(state, { since: new Date(0), lastError: "" }));
    const platform = index % 3 === 0 ? "whatsapp" : "telegram";
    writes.push(
      redis.client.hset(keys.session(id), { platform, tok: "1", ...sealedFields(id, { summary }) }),
      redis.client.sadd(keys.slotSessions(slotOf(id)), id),
    );
  }
  await Promise.all(writes);
  return ids;
}

/** Reads all pages, and returns their number. */
async function walk(
  list: SessionDirectory,
  filter: SessionFilter,
  limit: number,
): Promise<{ ids: string[]; pages: number; empty: number }> {
  const ids: string[] = [];
  let pages = 0;
  let empty = 0;
  let after = "";
  do {
    const page = await list.page(filter, parseCursor(after), limit, signal);
    expect(page.docs.length).toBeLessThanOrEqual(limit);
    ids.push(...page.docs.map(({ id }) => id));
    if (page.docs.length === 0) empty += 1;
    pages += 1;
    after = page.next;
  } while (after !== "" && pages < 10_000);
  return { ids, pages, empty };
}

const inOrder = (ids: readonly SessionId[]): SessionId[] => [...ids].sort((a, b) => slotOf(a) - slotOf(b) || (a < b ? -1 : 1));

describe("a walk", () => {
  it.each([1, 7, 100, 1_000])("in pages of %i comes by every session once, in one order", async (limit) => {
    const ids = await store(120);
    const { ids: found } = await walk(directory(), {}, limit);
    expect(found).toEqual(inOrder(ids));
  });

  it.each<Partial<DirectoryBounds>>([
    { scanned: 1 },
    { scanned: 13 },
    { records: 1 },
    { slots: 1 },
    { slots: slotCount },
    { scanned: 5, records: 3, slots: 600 },
  ])("does so whatever its bounds: %o", async (bounds) => {
    const ids = await store(40);
    expect((await walk(directory(bounds), {}, 10)).ids).toEqual(inOrder(ids));
  });

  it("goes on from where its time was over", async () => {
    const ids = await store(30);
    const { ids: found, pages } = await walk(directory({ pageMs: 0, records: 10, slots: 600 }), {}, 100);
    expect(found).toEqual(inOrder(ids));
    expect(pages).toBeGreaterThan(1);
  });

  it("scans a bounded number of records per page and returns the next position", async () => {
    const ids = await store(60);
    const { ids: found, empty } = await walk(directory({ scanned: 10 }), { q: "no-such-user" }, 10);
    expect(found).toEqual([]);
    expect(empty).toBeGreaterThanOrEqual(ids.length / 10);
  });

  it("in pages keeps its place while sessions come and go", async () => {
    const ids = inOrder(await store(40));
    const first = await directory().page({}, start, 20, signal);
    const [gone, last] = [ids[5], ids[19]];
    if (gone === undefined || last === undefined) throw new Error("too few sessions");
    for (const id of [gone, last])
      await redis.client
        .multi()
        .del(keys.session(id))
        .srem(keys.slotSessions(slotOf(id)), id)
        .exec();
    const second = await directory().page({}, parseCursor(first.next), 100, signal);
    expect([...first.docs, ...second.docs].map(({ id }) => id)).toEqual(ids);
  });

  it("ends when its caller leaves", async () => {
    await store(5);
    await expect(directory().page({}, start, 10, AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  });

  it("passes over a record that is none of ours", async () => {
    const [id, ...others] = await store(3);
    if (id === undefined) throw new Error("no session");
    await redis.client.del(keys.session(id));
    await redis.client.hset(keys.session(id), {
      ...sealedFields(id, {}),
      platform: "telegram",
      state: "altered",
      created: new Date().toISOString(),
    });
    expect((await walk(directory(), {}, 10)).ids).toEqual(inOrder(others));
  });
});

describe("filters", () => {
  it("hold over all pages", async () => {
    const ids = await store(60);
    const wanted = inOrder(ids.filter((_, index) => index % 2 === 1 && index % 3 === 0));
    expect((await walk(directory(), { state: "awaiting-qr", platform: "whatsapp" }, 4)).ids).toEqual(wanted);
  });

  it("by a member read nothing of others' slots", async () => {
    const ids = await store(20, idsInSlotsOfTheirOwn(20));
    const mine = ids.slice(0, 4);
    await acquireSlots(
      redis.client,
      mine.map((id) => ({ slot: slotOf(id), dead: undefined })),
      { name: "shard-1", incarnation: "i", host: "h" },
    );
    for (const id of mine) await redis.client.hset(keys.session(id), "tok", (await redis.client.hget(keys.owner(slotOf(id)), "tok")) ?? "");
    const page = await directory({ scanned: mine.length }).page({ member: "shard-1" }, start, 10, signal);
    expect(page.docs.map(({ id }) => id)).toEqual(inOrder(mine));
  });

  it("by a whole id read that record alone", async () => {
    const ids = await store(20);
    const [, second = ""] = ids;
    expect(await directory({ scanned: 0 }).page({ q: second }, start, 10, signal)).toMatchObject({
      docs: [{ id: second }],
      next: "",
    });
    expect(await directory().page({ q: second, state: "connected" }, start, 10, signal)).toEqual({ docs: [], next: "" });
    expect(await directory().page({ q: newSessionId(0) }, start, 10, signal)).toEqual({ docs: [], next: "" });
  });

  it("find by phone and username", async () => {
    const ids = await store(30);
    expect((await walk(directory(), { q: "+1 555 0014" }, 10)).ids).toEqual([ids[14]]);
    expect((await walk(directory(), { q: "@user22" }, 10)).ids).toEqual([ids[22]]);
  });
});

describe("one session", () => {
  it("that has just been created waits for a QR since then", async () => {
    const { id } = await ownedSession(redis.client);
    const row = await directory().get(id, () => true);
    expect(row).toMatchObject({ id, tenant: "default", platform: "telegram", state: "awaiting-qr", slot: slotOf(id), webhookLag: 0 });
    expect(row?.since).toBe(await redis.client.hget(keys.session(id), "created"));
    expect(row?.member).toBe("a");
    expect(row?.queue).toEqual({ events: 0, deadLetters: 0 });
  });

  it("shows what waits for its receiver, and for how long", async () => {
    const { id } = await ownedSession(redis.client);
    const now = Number((await redis.client.time())[0]);
    await redis.client.xadd(keys.outbox(id), `${(now - 90) * 1_000}-0`, "b", "x");
    await redis.client.xadd(keys.outbox(id), "*", "b", "x");
    await redis.client.xadd(keys.deadLetters(id), "*", "b", "x");
    const row = await directory().get(id, () => true);
    expect(row?.queue).toEqual({ events: 2, deadLetters: 1 });
    expect(row?.webhookLag).toBeGreaterThanOrEqual(89);
    const [listed] = (await directory().page({ q: id }, start, 1, signal)).docs;
    expect(listed?.webhookLag).toBeGreaterThanOrEqual(89);
  });

  it("that is not there is undefined", async () => {
    expect(await directory().get(newSessionId(0), () => true)).toBeUndefined();
  });
});

describe("a Redis that has lost what it held", () => {
  const busy = { status: 503, message: "storage unavailable" };

  it("is said to be that, and not to have no sessions: who compares would take them for deleted", async () => {
    await raiseSchema(redis.client, newestSchema);
    const [id = ""] = await store(3);
    expect((await directory().page({}, start, 10, signal)).docs).toHaveLength(3);
    await redis.client.flushall();
    await expect(directory().get(id as SessionId, () => true)).rejects.toMatchObject(busy);
    for (const filter of [{}, { q: id }]) await expect(directory().page(filter, start, 10, signal)).rejects.toMatchObject(busy);
  });

  it("and is being restored has no list either, which would lack what is still to come", async () => {
    const [id = ""] = await store(3);
    await redis.client.set(keys.restoring, new Date().toISOString());
    expect(await directory().get(id as SessionId, () => true)).toMatchObject({ id });
    await expect(directory().get(newSessionId(0), () => true)).rejects.toMatchObject(busy);
    await expect(directory().page({}, start, 10, signal)).rejects.toMatchObject(busy);
    await redis.client.del(keys.restoring);
    expect((await directory().page({}, start, 10, signal)).docs).toHaveLength(3);
  });
});
