import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newSessionId, type SessionId } from "../../shared/contract/ids.js";
import { dataKeyContext } from "../../shared/session/data-key.js";
import { SessionKey } from "../../shared/session/session-key.js";
import { slotOf } from "../../shared/cluster/slot.js";
import { acquire, type SlotToken } from "../../shared/cluster/ownership.js";
import { FencedError } from "../../shared/redis/script.js";
import { keys } from "../../shared/redis/keys.js";
import type { SessionState } from "../../shared/session/state.js";
import { OpenedRecords } from "../../router/session/opened-records.js";
import { newestSchema } from "../../shared/schema/schema-version.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { anyLife, takeOver, testRing } from "../harness/owned-session.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { findings } from "../harness/redis-dump.js";

let redis: TestRedis;
let writer: SessionWriter;
let id: SessionId;
let token: SlotToken;
const bytes = Buffer.alloc(32, 7);
const account = { generatedId: "778899001", name: "Ada Lovelace", username: "countess", phone: "6281155501010", picture: "" };
const connected: SessionState = { kind: "connected", account };
const since = "2026-11-20T10:00:00.000Z";

/** What must not be read after a session was loaded: whom and what the former forms below speak of. */
const readable = [
  ...Object.values(account).filter((text) => text !== ""),
  ...[
    "customer-7",
    "12-34-56",
    "QRPICTURE",
    "555666777",
    "4815162342",
    "@friend",
    "Grace Hopper",
    "-100777888",
    "msg-1",
    "msg-2",
    "deadbeef01",
  ],
  ...["session:6281155502020.0", "friends-user"],
];

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Everything as version 0.2 stored it. */
beforeEach(async () => {
  await redis.client.flushall();
  writer = new SessionWriter(redis.client, testRing, { written: newestSchema });
  id = newSessionId(Date.now());
  const key = new SessionKey(id, bytes);
  const owned = await acquire(redis.client, slotOf(id), { name: "a", incarnation: "i1", host: "h1" }, undefined);
  token = owned?.token ?? ("" as SlotToken);
  const { client } = redis;
  const summary = {
    state: "connected",
    since,
    lastError: "ECONNRESET",
    name: account.name,
    username: account.username,
    phone: account.phone,
  };
  await client.hset(keys.session(id), {
    platform: "telegram",
    secretHash: "hash",
    created: since,
    tok: token,
    state: JSON.stringify(connected),
    account: account.generatedId,
    dk: testRing.seal(bytes, dataKeyContext(id)),
    creds: key.seal(Buffer.from("login"), "creds").toString("base64url"),
    summary: JSON.stringify(summary),
    label: "customer-7",
    metadata: '{"ref":"12-34-56"}',
  });
  await client.sadd(keys.slotSessions(slotOf(id)), id);
  await client.set(keys.qr(id), "QRPICTURE", "PX", 60_000);
  await client.hset(keys.peers(id), {
    "555666777": "4815162342",
    "@friend": "friends-user 1",
    "1@s.whatsapp.net": '{"name":"Grace Hopper"}',
  });
  await client.hset(keys.secrets(id), "session:6281155502020.0", key.seal(Buffer.from("ratchet"), "k|session:6281155502020.0"));
  await client.hset(keys.webhook(id), { cursor: '{"v":1,"user":"778899001"}', on: "1", epoch: "3", onAt: "0", bytes: "0" });
  await client.hset(keys.messageChats(id), { "msg-1": "-100777888", "msg-2": "555666777" });
  await client.rpush(keys.messageOrder(id), "msg-1", "msg-2");
  for (const updates of [keys.messageChats(id), keys.messageOrder(id)]) await client.pexpire(updates, 3_600_000);
  await client.zadd(keys.seenEvents(id), 5, "deadbeef01");
  await client.pexpire(keys.seenEvents(id), 3_600_000);
});

const slot = (): { id: SessionId; token: SlotToken } => ({ id, token });

async function load(): Promise<void> {
  const [session] = await writer.load([slotOf(id)], () => undefined);
  expect(session).toMatchObject({ id, state: connected, life: { since: new Date(since), lastError: "ECONNRESET" } });
  expect(session?.key).toBeUndefined();
}

describe("a session that a former version stored", () => {
  it("is read by routers before its owner has sealed it", async () => {
    expect(await findings(redis.client, readable)).toHaveLength(readable.length);
    const [dataKey = null, state = null, stored = null] = await redis.client.hmgetBuffer(keys.session(id), "dk", "state", "account");
    expect(new OpenedRecords(testRing).open(id, { dataKey, state, account: stored, unreadable: null })).toMatchObject({
      state: connected,
      lastAccount: account.generatedId,
    });
  });

  it("is readable nowhere once its owner has used its key, and nothing of it is lost", async () => {
    await load();
    const dataKey = writer.dataKey(slot());
    await dataKey.get();
    expect(await findings(redis.client, readable)).toEqual([]);

    const [again] = await writer.load([slotOf(id)], () => undefined);
    expect(again).toMatchObject({ state: connected, life: { since: new Date(since), lastError: "ECONNRESET" } });
    expect(again?.key).toBeDefined();
    const key = await dataKey.get();
    const [label, metadata] = await redis.client.hmgetBuffer(keys.session(id), "label", "metadata");
    expect([key.openText(label ?? Buffer.of(), "label"), key.openText(metadata ?? Buffer.of(), "metadata")]).toEqual([
      "customer-7",
      '{"ref":"12-34-56"}',
    ]);
    expect((await writer.readCredentials(id))?.toString()).toBe("login");
    const peers = writer.peers(slot());
    expect(await peers.getMany(["555666777", "@friend", "nobody"])).toEqual(["4815162342", "friends-user 1", undefined]);
    expect([...(await peers.values())].sort()).toEqual(["4815162342", "friends-user 1", '{"name":"Grace Hopper"}'].sort());
    expect(await writer.secrets(slot()).getMany(["session:6281155502020.0"])).toEqual([Buffer.from("ratchet")]);
    const updates = writer.updates(slot());
    expect(await updates.cursor()).toBe('{"v":1,"user":"778899001"}');
    expect(await updates.chatsOf(["msg-1", "msg-2"])).toEqual(["-100777888", "555666777"]);
    for (const lasting of [keys.messageChats(id), keys.messageOrder(id), keys.seenEvents(id)])
      expect(await redis.client.pttl(lasting)).toBeGreaterThan(3_000_000);
    // An event that was seen is not told again, and the oldest message is still the first to go.
    const created = new Date().toISOString();
    await updates.advance({ cursor: "c", events: [{ id: "deadbeef01", type: "message.new", created, data: {} }], messages: new Map() });
    expect(await redis.client.xlen(keys.outbox(id))).toBe(0);
    await redis.client.hdel(keys.messageChats(id), (await redis.client.lpop(keys.messageOrder(id))) ?? "");
    expect(await updates.chatsOf(["msg-1", "msg-2"])).toEqual([undefined, "555666777"]);
  });

  it("is sealed to the end by the next owner when one died on the way", async () => {
    const next = await takeOver(redis.client, id);
    await expect(writer.dataKey(slot()).get()).rejects.toBeInstanceOf(FencedError);
    token = next;
    const key = new SessionKey(id, bytes);
    const hashed = key.name("peer", "555666777");
    await redis.client.hset(keys.peers(id), hashed, key.seal(Buffer.from("4815162342"), `p|${hashed}`));
    await redis.client.hdel(keys.peers(id), "555666777");
    await load();
    await writer.dataKey(slot()).get();
    expect(await findings(redis.client, readable)).toEqual([]);
    expect(await writer.peers(slot()).getMany(["555666777"])).toEqual(["4815162342"]);
  });

  it("may be deleted by a timer at once, and comes back out of the trash sealed", async () => {
    const judged: SessionState = { kind: "disconnected", account, elapsedMs: 9 };
    await redis.client.hset(keys.session(id), "state", JSON.stringify(judged));
    expect(await writer.remove(slot(), connected)).toBe(false);
    expect(await writer.remove(slot(), judged)).toBe(true);
    expect(await findings(redis.client, readable)).toEqual([]);
    expect(await writer.undelete(slot(), "0123456789abcdef" as never)).toMatchObject({ state: { ...judged, elapsedMs: 0 } });
    expect(await findings(redis.client, readable)).toEqual([]);
  });

  it("that lay in the trash before the update comes back, and is sealed then", async () => {
    for (const key of [keys.session(id), keys.peers(id), keys.messageChats(id), keys.messageOrder(id)])
      await redis.client.rename(key, keys.trash(key));
    await redis.client.srem(keys.slotSessions(slotOf(id)), id);
    expect(await writer.undelete(slot(), "0123456789abcdef" as never)).toMatchObject({ state: connected });
    await writer.writeState(slot(), connected, anyLife, "");
    expect(await findings(redis.client, readable)).toEqual([]);
    expect(await writer.peers(slot()).getMany(["@friend"])).toEqual(["friends-user 1"]);
  });
});

describe("what is sealed", () => {
  it("does not open in another session or field, and no key that does not fit writes over it", async () => {
    await writer.dataKey(slot()).get();
    const record = await redis.client.hgetallBuffer(keys.session(id));
    const { state, dk, label } = record;
    const opened = new OpenedRecords(testRing);
    const part = { dataKey: dk ?? null, state: state ?? null, account: null, unreadable: null };
    expect(opened.open(id, part)?.state).toEqual(connected);
    expect(opened.open(id, { ...part, state: label ?? null })).toBeUndefined();
    const [altered, other] = [Buffer.from(state ?? ""), newSessionId(Date.now())];
    altered[40] = (altered[40] ?? 0) ^ 1;
    expect(opened.open(id, { ...part, state: altered })).toBeUndefined();
    expect(opened.open(other, part)?.state).toMatchObject({ kind: "disconnected", unreadable: true });

    await redis.client.hset(keys.session(id), "dk", testRing.seal(bytes, dataKeyContext(other)));
    const [session] = await writer.load([slotOf(id)], () => undefined);
    expect(session?.state).toMatchObject({ kind: "disconnected", unreadable: true });
    if (session !== undefined) await writer.writeState(slot(), session.state, anyLife, "");
    expect(await redis.client.hgetBuffer(keys.session(id), "state")).toEqual(state);
    expect(await redis.client.hget(keys.session(id), "unreadable")).toBe("1");
    await redis.client.hset(keys.session(id), "dk", dk ?? "");
    expect(await writer.readState(id)).toEqual(connected);
    await writer.writeState(slot(), connected, anyLife, "");
    expect(await redis.client.hexists(keys.session(id), "unreadable")).toBe(0);
  });
});
