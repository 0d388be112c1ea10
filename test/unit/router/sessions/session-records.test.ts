import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rememberedMs } from "../../../../router/bus/slot-owners.js";
import { InvalidationFeed } from "../../../../router/bus/redis/invalidation-feed.js";
import { freshnessOf, provenMs, forgottenMs } from "../../../../router/bus/redis/freshness.js";
import { OpenedRecords } from "../../../../router/sessions/opened-records.js";
import { SessionRecords, type SessionRecord } from "../../../../router/sessions/session-records.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { eventually } from "../../../harness/eventually.js";
import { monitorRedis } from "../../../harness/monitor-redis.js";
import { testRing } from "../../../harness/owned-session.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { plainRedis } from "../../../harness/plain-redis.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { anAccount } from "../support.js";

/** A router's records in a real Redis, to which another process writes. The test controls the router's clock. */
let server: TestRedis;
let tracked: RedisClient;
let listener: RedisClient;
let feed: InvalidationFeed;
let records: SessionRecords;
let clockMs: number;
let id: SessionId;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  id = newSessionId(Date.now());
  await store("77");
  [tracked, listener] = await Promise.all([
    connectRedis(server.url, "writer", silentLog),
    connectRedis(server.url, "invalidations", silentLog),
  ]);
  clockMs = 0;
  const now = (): number => clockMs;
  feed = new InvalidationFeed({ redis: tracked, listener, log: silentLog, now });
  records = new SessionRecords({ feed, redis: server.client, opened: new OpenedRecords(testRing), now });
  await feed.start();
});
afterEach(() => {
  feed.stop();
  for (const connection of [tracked, listener]) connection.disconnect();
});

async function store(account: string): Promise<void> {
  const state = JSON.stringify({ kind: "connected", account: anAccount });
  await server.client.hset(keys.session(id), { platform: "telegram", secretHash: "x", tok: "7", ...sealedFields(id, { state, account }) });
}

const read = (): Promise<SessionRecord | undefined> => records.read("telegram", id, () => true, false);
const proven = (at: number): Promise<unknown> => eventually("a proof", () => feed.notifiedUntil === at);

it.each([
  ["just now", 0, true, false],
  ["half of the time ago", provenMs / 2, true, true],
  ["at the end", provenMs - 1, true, true],
  ["too long ago", provenMs, false, true],
  ["never", Infinity, false, true],
])("what was proven %s", (_, ageMs, isCurrent, renew) => {
  expect(freshnessOf(-ageMs, 0)).toEqual({ isCurrent, renew });
});

it("delays responses to changes for longer than a proof lasts", () => {
  expect(forgottenMs).toBeGreaterThan(provenMs);
});

describe("current", () => {
  it("serves a cached record for as long as a proof lasts, and then checks again", async () => {
    expect(records.current(id)).toBeUndefined();
    const known = await read();
    expect(records.current(id)).toBe(known);
    clockMs = provenMs;
    expect(records.current(id)).toBeUndefined();
    expect(records.recent(id)).toBe(known);
  });

  it("has proofs renewed while it is looked at, and serves what they prove", async () => {
    const known = await read();
    for (let round = 1; round <= 5; round++) {
      clockMs += provenMs / 2;
      expect(records.current(id)).toBe(known);
      await proven(clockMs);
    }
  });

  it("keeps at hand for what a moment ago will do for, such as media, what proofs confirm without reading it anew", async () => {
    const known = await read();
    for (const atMs of [1_500, 3_000, 4_500]) {
      clockMs = atMs;
      feed.at()?.renew();
      await proven(clockMs);
      expect(records.recent(id)).toBe(known);
    }
    clockMs += rememberedMs;
    expect(records.recent(id)).toBeUndefined();
  });

  it("requests no proof when reads are rare", async () => {
    const said: string[] = [];
    const leave = await monitorRedis(server.url, (words) => said.push(words[0]?.toLowerCase() ?? ""));
    for (let round = 0; round < 3; round++) {
      await read();
      clockMs += 2 * provenMs;
      expect(records.current(id)).toBeUndefined();
    }
    await tracked.echo("the last");
    await eventually("all of it", () => said.includes("echo"));
    leave();
    expect(said.filter((word) => ["ping", "info"].includes(word))).toEqual([]);
  });

  it("never serves a stale record after the response to its change, even if the notification is delayed", async () => {
    await read();
    const { stream } = plainRedis(listener);
    stream.pause();
    await store("78");
    clockMs = provenMs / 2;
    // The proof arrives after the delayed notice, so the old record is served until it expires.
    expect(records.current(id)?.lastAccount).toBe("77");
    clockMs = forgottenMs;
    expect(records.current(id)).toBeUndefined();
    stream.resume();
    await eventually("the message", () => records.recent(id) === undefined);
    expect((await read())?.lastAccount).toBe("78");
    expect(records.current(id)?.lastAccount).toBe("78");
  });

  it("shares one proof among concurrent readers that came before it began, and sees earlier writes", async () => {
    const known = await read();
    const asked: string[] = [];
    const leave = await monitorRedis(server.url, (words) => asked.push(words[0]?.toLowerCase() ?? ""));
    expect(await records.proven("telegram", id, () => true)).toBeUndefined();
    clockMs = provenMs;
    for (let miss = 0; miss < 2; miss++) expect(records.current(id)).toBeUndefined();
    expect(await records.proven("telegram", id, () => false)).toBeUndefined();
    expect(await records.proven("whatsapp", id, () => true)).toBeUndefined();
    const first = records.proven("telegram", id, () => true);
    clockMs += 1;
    const others = Array.from({ length: 20 }, () => records.proven("telegram", id, () => true));
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([known]));
    await tracked.echo("the last");
    await eventually("all of it", () => asked.includes("echo"));
    leave();
    expect(asked.filter((word) => word === "ping")).toHaveLength(2);
    clockMs += provenMs;
    for (let miss = 0; miss < 2; miss++) records.current(id);
    await store("78");
    expect(await records.proven("telegram", id, () => true)).toBeUndefined();
    expect((await read())?.lastAccount).toBe("78");
  });

  it("believes no server that has become a replica", async () => {
    try {
      await read();
      await server.client.replicaof("127.0.0.1", 1);
      clockMs = provenMs / 2;
      expect(records.current(id)).toBeDefined();
      await tracked.echo("behind the question");
      expect(feed.notifiedUntil).toBe(Number.NEGATIVE_INFINITY);
      clockMs = provenMs;
      expect(records.current(id)).toBeUndefined();
    } finally {
      await server.client.replicaof("NO", "ONE");
    }
  });

  it("forgets proofs with the connection that gave them", async () => {
    await read();
    clockMs = provenMs / 2;
    records.current(id);
    await proven(clockMs);
    plainRedis(tracked).stream.destroy();
    await eventually("the loss", () => !feed.trusted);
    expect([feed.notifiedUntil, records.current(id)]).toEqual([Number.NEGATIVE_INFINITY, undefined]);
  });

  it("serves nothing that another server has said", async () => {
    let place = feed.at();
    const there = { at: () => place, onKeys: () => undefined, onLost: () => undefined };
    const moved = new SessionRecords({ feed: there, redis: server.client, opened: new OpenedRecords(testRing), now: () => clockMs });
    await moved.read("telegram", id, () => true, false);
    expect(moved.current(id)).toBeDefined();
    place = { redis: server.client, notifiedUntil: 0, prove: () => Promise.resolve(), renew: () => undefined };
    expect(moved.current(id)).toBeUndefined();
  });

  it("remembers nothing of what is not admitted", async () => {
    expect(await records.read("telegram", id, () => false, false)).toBeUndefined();
    expect(records.size).toBe(0);
  });
});
