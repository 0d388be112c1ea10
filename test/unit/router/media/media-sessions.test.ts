import { SchemaFollower } from "../../../../shared/cluster/schema/schema-follower.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MediaSessions } from "../../../../router/media/media-sessions.js";
import { rememberedMs, SlotOwners } from "../../../../router/bus/slot-owners.js";
import { MemberWatch } from "../../../../shared/cluster/member-watch.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { InvalidationFeed } from "../../../../router/bus/redis/invalidation-feed.js";
import { OpenedRecords } from "../../../../router/sessions/opened-records.js";
import { SessionReader } from "../../../../router/sessions/session-reader.js";
import { SessionRecords } from "../../../../router/sessions/session-records.js";
import { testRing } from "../../../harness/owned-session.js";
import { keys } from "../../../../shared/redis/keys.js";
import type { SessionState } from "../../../../shared/session/state.js";
import { plainRedis } from "../../../harness/plain-redis.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { storedKey } from "../../../harness/stored-session.js";
import { anAccount, until } from "../support.js";

/** Two routers cache the same sessions of a real Redis, to which a third process writes. */
let server: TestRedis;
let connections: RedisClient[] = [];
let feeds: InvalidationFeed[] = [];
let clockMs = 0;
let living = true;
let id: SessionId;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  clockMs = 0;
  living = true;
  await server.client.flushall();
  id = newSessionId(Date.now());
  await server.client.hset(keys.owner(slotOf(id)), { m: "shard-1", inc: "i1", tok: "7", st: "held" });
  await store(id, { kind: "connected", account: anAccount });
});
afterEach(() => {
  for (const feed of feeds) feed.stop();
  for (const connection of connections) connection.disconnect();
  feeds = [];
  connections = [];
});

async function store(session: SessionId, state: SessionState): Promise<void> {
  const sealed = sealedFields(session, { state: JSON.stringify(state), account: "77" });
  await server.client.hset(keys.session(session), { platform: "telegram", secretHash: "x", tok: "7", ...sealed });
}

async function accountWriter(): Promise<(account: string) => Promise<unknown>> {
  const key = await storedKey(server.client, id);
  return (account) => server.client.hset(keys.session(id), { account: key.sealText(account, "account") });
}

interface Router {
  readonly memory: MediaSessions;
  readonly records: SessionRecords;
  readonly feed: InvalidationFeed;
  readonly tracked: RedisClient;
  readonly listener: RedisClient;
}

async function aRouter(): Promise<Router> {
  const [tracked, listener] = await Promise.all([
    connectRedis(server.url, "writer", silentLog),
    connectRedis(server.url, "invalidations", silentLog),
  ]);
  connections.push(tracked, listener);
  const feed = new InvalidationFeed({ redis: tracked, listener, log: silentLog });
  feeds.push(feed);
  const now = (): number => performance.now() + clockMs;
  const owners = new SlotOwners({
    feed,
    redis: server.client,
    subscriber: listener,
    members: new MemberWatch({ redis: server.client, subscriber: listener, log: silentLog }),
    now,
  });
  const members = { lives: () => living, isResponsive: () => living };
  const records = new SessionRecords({ feed, redis: server.client, opened: new OpenedRecords(testRing), now });
  const reader = new SessionReader(
    server.client,
    members,
    owners,
    records,
    new SchemaFollower({ redis: server.client, written: newestSchema, log: silentLog }),
  );
  const memory = new MediaSessions({ platform: "telegram", records, reader, owners, members });
  await feed.start();
  return { memory, records, feed, tracked, listener };
}

describe("MediaSessions", () => {
  it("caches what it read, and checks the owner's liveness at every read", async () => {
    const { memory } = await aRouter();
    expect(memory.atHand(id)).toBeUndefined();
    const read = await memory.read(id);
    expect(read).toEqual({ active: true, kind: "connected", lastAccount: "77", tenant: "default" });
    expect(memory.atHand(id)).toEqual(read);
    living = false;
    expect(memory.atHand(id)).toEqual({ active: false, kind: "connected", lastAccount: "77", tenant: "default" });
  });

  it.each<[string, (key: string, owner: string) => Promise<unknown>]>([
    ["a deletion", (key) => server.client.del(key)],
    ["a move to the trash", (key) => server.client.rename(key, "trash:x")],
    [
      "another state",
      (key) => server.client.hset(key, "state", JSON.stringify({ kind: "disconnected", account: anAccount, elapsedMs: 0 })),
    ],
    ["another account", (key) => server.client.hset(key, "account", "78")],
    ["another owner", (_, owner) => server.client.hset(owner, { m: "shard-2", inc: "i2", tok: "8" })],
    ["a slot that was given up", (_, owner) => server.client.hset(owner, "st", "free")],
    ["a flushed Redis", () => server.client.flushall()],
  ])("forgets by %s, on every router", async (_, change) => {
    const routers = [await aRouter(), await aRouter()];
    for (const { memory } of routers) await memory.read(id);
    await change(keys.session(id), keys.owner(slotOf(id)));
    await until(() => routers.every(({ memory }) => memory.atHand(id) === undefined));
  });

  it("notices the second change too", async () => {
    const [{ memory }, writeAccount] = await Promise.all([aRouter(), accountWriter()]);
    for (const account of ["78", "79"]) {
      await memory.read(id);
      await writeAccount(account);
      await until(() => memory.atHand(id) === undefined);
      expect((await memory.read(id))?.lastAccount).toBe(account);
    }
  });

  it("never keeps what a write has overtaken", async () => {
    const [{ memory }, writeAccount] = await Promise.all([aRouter(), accountWriter()]);
    // Writes and reads race on two connections. Once the write is confirmed and its notice has arrived, no old value is left.
    for (let round = 1; round <= 300; round++) {
      const reads = [memory.read(id), memory.read(id)];
      await writeAccount(String(round));
      reads.push(memory.read(id));
      await Promise.all(reads);
      await until(() => [undefined, String(round)].includes(memory.atHand(id)?.lastAccount));
    }
  });

  it("remembers no session that is missing, deleted, or of the other platform", async () => {
    const { memory } = await aRouter();
    const missing = newSessionId(Date.now());
    expect(await memory.read(missing)).toBeUndefined();
    await store(missing, { kind: "connected", account: anAccount });
    expect((await memory.read(missing))?.kind).toBe("connected");
    await store(id, { kind: "deleted", reason: "owner" });
    expect((await memory.read(id))?.kind).toBe("deleted");
    expect(memory.atHand(id)).toBeUndefined();
    await server.client.hset(keys.session(id), "platform", "whatsapp");
    expect(await memory.read(id)).toBeUndefined();
  });

  it("reads again after two seconds, with or without a notification", async () => {
    const { memory } = await aRouter();
    await memory.read(id);
    clockMs += rememberedMs - 500;
    expect(memory.atHand(id)).toBeDefined();
    clockMs += 500;
    expect(memory.atHand(id)).toBeUndefined();
  });

  it.each(["tracked", "listener"] as const)(
    "forgets all when the %s connection is lost, and trusts again when it is back",
    async (which) => {
      const router = await aRouter();
      await router.memory.read(id);
      const losing = router[which];
      const closed = new Promise<void>((resolve) => losing.once("close", () => resolve()));
      plainRedis(losing).stream.destroy();
      await closed;
      expect([router.feed.trusted, router.records.size]).toEqual([false, 0]);
      await until(() => router.feed.trusted);
      await router.memory.read(id);
      expect(router.memory.atHand(id)).toBeDefined();
      await server.client.del(keys.session(id));
      await until(() => router.memory.atHand(id) === undefined);
    },
  );

  it("remembers nothing while Redis does not track", async () => {
    const { memory, feed } = await aRouter();
    feed.stop();
    expect((await memory.read(id))?.kind).toBe("connected");
    expect(memory.atHand(id)).toBeUndefined();
  });

  it("reads over the general connection and caches nothing while the tracked connection is lost", async () => {
    const { memory, tracked } = await aRouter();
    tracked.disconnect();
    expect(await memory.read(id)).toEqual({ active: true, kind: "connected", lastAccount: "77", tenant: "default" });
    expect(memory.atHand(id)).toBeUndefined();
  });

  it("is bounded", async () => {
    const { memory, records } = await aRouter();
    const state: SessionState = { kind: "connected", account: { ...anAccount, picture: "" } };
    for (let from = 0; from < 10_500; from += 500) {
      const ids = Array.from({ length: 500 }, () => newSessionId(Date.now()));
      await Promise.all(ids.map((each) => store(each, state)));
      await Promise.all(ids.map((each) => memory.read(each)));
    }
    expect(records.size).toBe(10_000);
  });
});
