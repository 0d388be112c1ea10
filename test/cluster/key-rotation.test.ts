import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getKeyring, rotateKeyring } from "../../router/admin/keyring.js";
import type { EncryptionKeys } from "../../router/admin/keyring-row.js";
import { MemberWatch } from "../../shared/cluster/member-watch.js";
import { join } from "../../shared/cluster/membership.js";
import { acquire, type SlotToken } from "../../shared/cluster/ownership.js";
import { writeReport } from "../../shared/cluster/process-report.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newCommandId, newSessionId, type SessionId } from "../../shared/contract/ids.js";
import { KeyRing, sealingKey } from "../../shared/config/key-ring.js";
import { SealingFollower } from "../../shared/cluster/keyring/sealing-follower.js";
import { silentLog } from "../../shared/log/logger.js";
import { keys } from "../../shared/redis/keys.js";
import { checkKeys } from "../../shared/cluster/keyring/key-check.js";
import { initialState } from "../../shared/session/state.js";
import { keyProxyContext } from "../../shared/tenant/key-proxy.js";
import { tenantProxyContext } from "../../shared/tenant/tenant-proxy.js";
import { Resealer } from "../../shard/cluster/keyring/resealer.js";
import { RotationRecord, type Pass } from "../../shard/cluster/keyring/rotation-record.js";
import type { RotationProgress } from "../../shard/session/live-events/live-event-writer.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { eventually } from "../harness/eventually.js";
import { newSession } from "../harness/new-session.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { aRequest } from "../unit/router/support.js";

/**
 * Tests the promises of each part of a rotation with a real Redis. `test/journey/key-rotation.test.ts` rotates the keys of a whole system.
 */
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const [keyA, keyB] = [keyOf("a"), keyOf("b")];
const resealers: Resealer[] = [];
const outcomes = { done: 0, failed: 0 };
/** Progress events for operators. */
const published: RotationProgress[] = [];
let ring: KeyRing;
beforeEach(async () => {
  await redis.client.flushall();
  Object.assign(outcomes, { done: 0, failed: 0 });
  published.length = 0;
  ring = KeyRing.parse(`${keyA},${keyB}`);
  await checkKeys(redis.client, ring);
});
afterEach(async () => {
  await Promise.all(resealers.splice(0).map((resealer) => resealer.stop()));
});

function keyOf(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

async function report(name: string, role: "router" | "shard", ids?: string[]): Promise<void> {
  await writeReport(redis.client, { role, name, host: "h1", version: "1", loopLagMs: 0, memoryBytes: 1, ...(ids && { keys: ids }) });
}

/** Calls the router's endpoint. The router reports its own keys at each call, as a live one does. */
async function call(method: "GET" | "POST", body: object = {}): Promise<EncryptionKeys> {
  await report("router-1", "router", ["a", "b"]);
  const members = new MemberWatch({ redis: redis.client, subscriber: redis.client, log: silentLog });
  await members.poll();
  const parts = { redis: redis.client, members };
  const headers = { "content-type": "application/json" };
  const request = { ...aRequest(headers), method, body: () => Promise.resolve(Buffer.from(method === "GET" ? "" : JSON.stringify(body))) };
  const response = await (method === "GET" ? getKeyring : rotateKeyring)(parts)(request, new AbortController().signal);
  if (response.kind !== "json") throw new Error("no JSON");
  return JSON.parse(response.text) as EncryptionKeys;
}

interface Stored {
  readonly id: SessionId;
  readonly token: SlotToken;
  readonly writer: SessionWriter;
}

/** Stores sessions with a login and a webhook. */
async function store(count: number, ownRing = ring): Promise<Stored[]> {
  const writer = new SessionWriter(redis.client, ownRing);
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const id = newSessionId(Date.now());
      const owner = { name: "a", incarnation: "i1", host: "h1" };
      const owned = await acquire(redis.client, slotOf(id), owner, undefined);
      const token = owned?.token ?? (((await redis.client.hget(keys.owner(slotOf(id)), "tok")) ?? "") as SlotToken);
      const slot = { id, token };
      await writer.create(slot, "telegram", newSession("hash"), new Date());
      await writer.writeCredentials(slot, Buffer.from(`login of ${id}`));
      await writer.outbox(slot).configure({ url: "http://receiver/", token: "secret" });
      return { id, token, writer };
    }),
  );
}

function startResealer(runner = "shard-1:1"): Resealer {
  const metrics = { resealed: (outcome: "done" | "failed", texts: number) => (outcomes[outcome] += texts) };
  const events = { rotation: (progress: RotationProgress) => void published.push(progress) };
  const resealer = new Resealer({ redis: redis.client, ring, runner, metrics, events, log: silentLog, idleMs: 20 });
  resealers.push(resealer);
  resealer.start();
  return resealer;
}

const ended = (): Promise<EncryptionKeys> =>
  eventually("the rotation ended", async () => {
    const row = await call("GET");
    return row.rotation?.state === "ended" && row.keys.every(({ records }) => records !== null) ? row : undefined;
  });
const sealedWith = async (key: string): Promise<string[]> =>
  (await redis.client.hmget(key, "dk", "wh")).map((text) => sealingKey(text ?? ""));

describe("the key that seals", () => {
  it("is the first of the first process, whatever stands first in others, until an operator chooses another", async () => {
    const other = KeyRing.parse(`${keyB},${keyA}`);
    await checkKeys(redis.client, other);
    expect([other.sealing, other.ids, other.seal(Buffer.from("x"), "c").slice(0, 2)]).toEqual(["a", ["a", "b"], "a."]);
    // A process that has only the first key still recognizes a repeated request.
    expect(other.macs("body", "request")[0]).toBe(KeyRing.parse(keyA).macs("body", "request")[0]);
    const follower = new SealingFollower({ redis: redis.client, ring: other, log: silentLog, everyMs: 10 });
    follower.start();
    await call("POST", { key: "b" });
    await eventually("it follows", () => Promise.resolve(other.sealing === "b"));
    expect(follower.problems()).toEqual([]);
    await follower.stop();
  });

  it("keeps a process from being ready that does not have it", async () => {
    const old = KeyRing.parse(keyA);
    const follower = new SealingFollower({ redis: redis.client, ring: old, log: silentLog, everyMs: 10 });
    follower.start();
    await redis.client.hset(keys.rotation, "sealing", "b");
    await eventually("it is not ready", () => Promise.resolve(follower.problems().length > 0));
    expect([follower.problems(), old.sealing]).toEqual([["CRED_KEYS has no key b, which seals"], "a"]);
    await redis.client.hset(keys.rotation, "sealing", `x"${"y".repeat(10_000)}`);
    await eventually("a short reason", () => follower.problems()[0] === 'CRED_KEYS has no key "x\\"yyyyyy", which seals');
    await follower.stop();
  });

  it("keeps a process from starting that does not have it, where anything is stored", async () => {
    await store(1);
    await redis.client.hset(keys.rotation, "sealing", "b");
    await expect(checkKeys(redis.client, KeyRing.parse(keyA))).rejects.toThrow('it has no key "b"');
    expect(await redis.client.hget(keys.rotation, "sealing")).toBe("b");
  });
});

describe("POST /admin/keyring/rotate", () => {
  it("is 409 with the names of those that do not have the key, and nothing changes", async () => {
    await join(redis.client, { name: "shard-1", incarnation: "i1", weight: 1, host: "h1" });
    await join(redis.client, { name: "shard-2", incarnation: "i1", weight: 1, host: "h1" });
    await report("shard-1", "shard", ["a"]);
    await report("router-2", "router", ["a"]);
    const refused = { status: 409, message: "key b is missing in CRED_KEYS of router-2, shard-1, shard-2" };
    await expect(call("POST", { key: "b" })).rejects.toMatchObject(refused);
    expect(await redis.client.hgetall(keys.rotation)).toMatchObject({ sealing: "a" });
    expect((await call("GET")).rotation).toBeNull();
  });

  it("begins once: a repeat while it runs changes nothing, and one for another key restarts it", async () => {
    const first = await call("POST", { key: "b" });
    expect(first).toMatchObject({ sealing: "b", rotation: { state: "counting", total: 0, done: 0 } });
    const run = await redis.client.hget(keys.rotation, "run");
    await call("POST", { key: "b" });
    expect(await redis.client.hget(keys.rotation, "run")).toBe(run);
    expect(await call("POST", { key: "a" })).toMatchObject({ sealing: "a", rotation: { state: "counting" } });
    expect(await redis.client.hget(keys.rotation, "run")).not.toBe(run);
  });

  it("says until when outcomes and plans may need the old key", async () => {
    const before = Date.now();
    const { keys: rows } = await call("POST", { key: "b" });
    const [old, fresh] = rows;
    expect([old?.id, fresh?.id, fresh?.neededUntil]).toEqual(["a", "b", ""]);
    expect(Date.parse(old?.neededUntil ?? "")).toBeGreaterThanOrEqual(before + 25 * 3_600_000);
  });
});

describe("a rotation", () => {
  it("reseals everything under the old key, also in the trash and in unowned slots, and changes nothing else", async () => {
    const sessions = await store(40);
    const [deleted, ...live] = sessions;
    if (deleted === undefined) throw new Error("no session");
    await deleted.writer.remove(deleted, initialState);
    const lifetime = await redis.client.pttl(keys.trash(keys.session(deleted.id)));
    // Two sessions may share a slot, and the deleted session's slot needs its owner later.
    const elsewhere = live.filter(({ id }) => slotOf(id) !== slotOf(deleted.id));
    for (const { id } of elsewhere.slice(0, 20)) await redis.client.del(keys.owner(slotOf(id)));
    const before = await Promise.all(live.map(({ id }) => redis.client.hgetall(keys.session(id))));
    startResealer();
    await call("POST", { key: "b" });
    const row = await ended();
    expect(row.rotation).toMatchObject({ total: 80, done: 80, failed: 0, member: "" });
    expect(row.keys).toMatchObject([
      { id: "a", sealing: false, records: 0, removable: false },
      { id: "b", sealing: true, records: 80, removable: false },
    ]);
    for (const { id } of live) expect(await sealedWith(keys.session(id))).toEqual(["b", "b"]);
    const trash = keys.trash(keys.session(deleted.id));
    expect(await sealedWith(trash)).toEqual(["b", "b"]);
    expect(await redis.client.pttl(trash)).toSatisfy((ms: number) => ms > 0 && ms <= lifetime);
    const after = await Promise.all(live.map(({ id }) => redis.client.hgetall(keys.session(id))));
    const others = (records: Record<string, string>[]) => records.map(({ dk: _dk, wh: _wh, ...rest }) => rest);
    expect(others(after)).toEqual(others(before));
    const alone = new SessionWriter(redis.client, KeyRing.parse(keyB));
    expect(await alone.undelete(deleted, newCommandId())).toMatchObject({ id: deleted.id });
    for (const { id, token } of sessions) {
      expect(String(await alone.readCredentials(id))).toBe(`login of ${id}`);
      expect((await alone.outbox({ id, token }).read()).settings).toEqual({ url: "http://receiver/", token: "secret" });
    }
    expect(outcomes).toEqual({ done: 80, failed: 0 });
    expect(await eventually("its end, told", () => published.find(({ state }) => state === "ended"))).toEqual({
      state: "ended",
      total: 80,
      done: 80,
      failed: 0,
    });
    expect(published[0]?.state).toBe("counting");
  });

  it("seals the proxies of tenants and of api keys anew", async () => {
    const stored = [
      { record: keys.tenantProxies, field: "acme", context: tenantProxyContext("acme"), proxy: "http://ann:one@proxy.example.com:1" },
      { record: keys.keyProxies, field: "0a", context: keyProxyContext("0a"), proxy: "http://ann:two@proxy.example.com:2" },
    ];
    for (const { record, field, context, proxy } of stored) await redis.client.hset(record, field, ring.seal(Buffer.from(proxy), context));
    startResealer();
    await call("POST", { key: "b" });
    expect((await ended()).rotation).toMatchObject({ total: 2, done: 2, failed: 0 });
    const alone = KeyRing.parse(keyB);
    for (const { record, field, context, proxy } of stored)
      expect(alone.open((await redis.client.hget(record, field)) ?? "", context).toString()).toBe(proxy);
  });

  it("never writes over what came between", async () => {
    const [session] = await store(1);
    if (session === undefined) throw new Error("no session");
    const slow = KeyRing.parse(`${keyA},${keyB}`);
    // The owner writes while a step is between its read and its write.
    slow.open = (sealed, context) => {
      if (context.endsWith("wh")) void redis.client.hset(keys.session(session.id), "wh", "b.newer");
      return KeyRing.prototype.open.call(slow, sealed, context);
    };
    ring = slow;
    await call("POST", { key: "b" });
    startResealer();
    await ended();
    expect(await redis.client.hget(keys.session(session.id), "wh")).toBe("b.newer");
  });

  it("leaves what does not open as it is, says how many, and keeps the key from being removable", async () => {
    const [broken] = await store(3);
    if (broken === undefined) throw new Error("no session");
    const altered = `a.${randomBytes(60).toString("base64url")}`;
    await redis.client.hset(keys.session(broken.id), "dk", altered);
    await call("POST", { key: "b" });
    startResealer();
    const row = await ended();
    expect(row.rotation).toMatchObject({ total: 6, done: 5, failed: 1 });
    expect(row.keys).toMatchObject([{ id: "a", records: 1, removable: false }, { id: "b" }]);
    expect(await redis.client.hget(keys.session(broken.id), "dk")).toBe(altered);
    await expect(checkKeys(redis.client, KeyRing.parse(keyB))).rejects.toThrow('it has no key "a"');
  });

  it("has one runner at a time, and another goes on where one died", async () => {
    await store(20);
    await call("POST", { key: "b" });
    const dying = new RotationRecord(redis.client, "shard-1:1");
    const pass = (await dying.claim(["a", "b"])) as Pass;
    expect(pass).toEqual({ phase: "counting", run: 1, slot: 0, sealing: "b" });
    const heir = new RotationRecord(redis.client, "shard-2:1");
    expect(await heir.claim(["a", "b"])).toBeUndefined();
    expect(await dying.advance(pass, 0, 4080, [["found:a", 7]])).toBe(true);
    // A repeat of the step, whose reply was lost, counts nothing twice.
    expect(await dying.advance(pass, 0, 4080, [["found:a", 7]])).toBe(true);
    expect(await redis.client.hget(keys.rotation, "found:a")).toBe("7");
    await redis.client.hset(keys.rotation, "ownerUntil", 1);
    expect(await heir.claim(["a"])).toBeUndefined();
    expect(await heir.claim(["a", "b"])).toEqual({ ...pass, slot: 4080 });
    expect(await dying.advance(pass, 4080, 4096, [])).toBe(false);
    await heir.release(pass, 4080);
    startResealer("shard-3:1");
    const row = await ended();
    expect(row.keys).toMatchObject([
      { id: "a", records: 0 },
      { id: "b", records: 40 },
    ]);
  });

  it("is followed by another at once: who works for the former one is at its end", async () => {
    await call("POST", { key: "b" });
    const former = new RotationRecord(redis.client, "shard-1:1");
    const pass = (await former.claim(["a", "b"])) as Pass;
    await call("POST", { key: "a" });
    expect(await former.advance(pass, 0, 16, [])).toBe(false);
    expect(await former.endPass(pass, "", 0)).toBe(false);
  });

  it("counts once more when the time of the old key is over, and finds what came late", async () => {
    await store(2);
    await call("POST", { key: "b" });
    startResealer();
    await ended();
    const [late] = await store(1, KeyRing.parse(keyA));
    if (late === undefined) throw new Error("no session");
    await redis.client.hset(keys.rotation, "until:a", Date.now() - 1);
    // The count was made before that.
    await redis.client.hset(keys.rotation, "counted", 1);
    const row = await eventually("removable", async () => {
      const now = await call("GET");
      return now.keys[0]?.removable === true ? now : undefined;
    });
    expect(row.keys).toMatchObject([
      { id: "a", records: 0 },
      { id: "b", records: 6 },
    ]);
    expect(await sealedWith(keys.session(late.id))).toEqual(["b", "b"]);
    await checkKeys(redis.client, KeyRing.parse(keyB));
    expect(await redis.client.hkeys(keys.canaries)).toEqual(["b"]);
  });
});

describe("a process without a key that records still need", () => {
  it.each(["a webhook alone", "a session in the trash alone"])("does not start: %s", async (what) => {
    const [session] = await store(1);
    if (session === undefined) throw new Error("no session");
    const fresh = KeyRing.parse(`${keyB},${keyA}`);
    fresh.choose("b");
    const record = keys.session(session.id);
    if (what === "a webhook alone") await redis.client.hset(record, "dk", fresh.seal(randomBytes(32), `v1|${session.id}|dk`));
    else await session.writer.remove(session, initialState);
    await redis.client.hset(keys.rotation, "sealing", "b");
    await expect(checkKeys(redis.client, KeyRing.parse(keyB))).rejects.toThrow('it has no key "a"');
  });
});
