import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMaxEvents } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import type { SessionUpdates } from "../../shard/session/store/session-updates.js";
import { anyLife, ownedSession, takeOver, type OwnedSession } from "../harness/owned-session.js";
import { startRedis, type TestRedis } from "../harness/redis.js";

let redis: TestRedis;
let session: OwnedSession;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  session = await ownedSession(redis.client);
});

const none = new Map<string, string>();
const event = (id: string, text = "hello", created = new Date().toISOString()) => ({ id, type: "message.new", created, data: { text } });
const updatesOf = ({ writer, id, token }: OwnedSession) => writer.updates({ id, token });
const turnOn = (at = Date.now()) => redis.client.hset(keys.webhook(session.id), "on", "1", "epoch", "1", "onAt", String(at));
/** Records a thousand messages, numbered from `from`. */
const take = (updates: SessionUpdates, from: number) =>
  updates.advance({ cursor: "1", events: [], messages: new Map(Array.from({ length: 1_000 }, (_, i) => [String(from + i), "c"])) });
const waiting = async (): Promise<string[]> =>
  (await redis.client.xrange(keys.outbox(session.id), "-", "+")).map(([, fields]) => fields[1] ?? "");

describe("a step of a session's updates", () => {
  it("moves the cursor, remembers chats and appends events in one write", async () => {
    await turnOn();
    const updates = updatesOf(session);
    expect(await updates.cursor()).toBeUndefined();
    expect(
      await updates.advance({
        cursor: "pts:7",
        events: [event("e1"), event("e2")],
        messages: new Map([
          ["11", "chat-1"],
          ["12", "chat-2"],
        ]),
        edits: new Map([["12", "an edit"]]),
      }),
    ).toEqual({ appended: 2, overflowed: 0 });
    expect(await updates.cursor()).toBe("pts:7");
    expect(await updates.chatsOf(["12", "99", "11"])).toEqual(["chat-2", undefined, "chat-1"]);
    expect(await updates.editsOf(["11", "12"])).toEqual([undefined, "an edit"]);
    expect(await waiting()).toEqual(["e1", "e2"]);
  });
  it("drops an event that was seen, so that a repeated step changes nothing", async () => {
    await turnOn();
    const updates = updatesOf(session);
    const step = { cursor: "1", events: [event("e1"), event("e2")], messages: none };
    await updates.advance(step);
    expect(await updates.advance(step)).toEqual({ appended: 0, overflowed: 0 });
    const next = await takeOver(redis.client, session.id);
    await session.writer.updates({ id: session.id, token: next }).advance({ ...step, events: [...step.events, event("e3")] });
    expect(await waiting()).toEqual(["e1", "e2", "e3"]);
  });
  it("appends nothing while the webhook is off, and what was seen then stays untold", async () => {
    const updates = updatesOf(session);
    await updates.advance({ cursor: "1", events: [event("e1")], messages: none });
    await turnOn();
    await updates.advance({ cursor: "2", events: [event("e1"), event("e2")], messages: none });
    expect(await waiting()).toEqual(["e2"]);
  });
  it("leaves out what happened before the webhook was turned on, however late it is fetched", async () => {
    const on = Date.parse("2026-11-21T12:00:30.500Z");
    await turnOn(on);
    const updates = updatesOf(session);
    const at = (text: string) => `2026-11-21T12:00:${text}Z`;
    await updates.advance({
      cursor: "1",
      events: [event("old", "x", at("29.000")), event("same-second", "x", at("30.000")), event("new", "x", at("31.000"))],
      messages: none,
    });
    expect(await waiting()).toEqual(["same-second", "new"]);
  });
  it("keeps what people wrote out of sight of Redis", async () => {
    await turnOn();
    await updatesOf(session).advance({ cursor: "1", events: [event("e1", "very private words")], messages: none });
    const stored = await redis.client.xrangeBuffer(keys.outbox(session.id), "-", "+");
    expect(JSON.stringify(stored.map(([, fields]) => fields.map((field) => field.toString("latin1"))))).not.toContain("private");
  });
  it("gives up the oldest events past 10,000, and says how many", async () => {
    await turnOn();
    const updates = updatesOf(session);
    for (let from = 0; from < outboxMaxEvents; from += 500) {
      await updates.advance({ cursor: String(from), events: Array.from({ length: 500 }, (_, i) => event(`e${from + i}`)), messages: none });
    }
    expect(await updates.advance({ cursor: "x", events: [event("last-1"), event("last-2"), event("last-3")], messages: none })).toEqual({
      appended: 3,
      overflowed: 3,
    });
    expect(await redis.client.xlen(keys.outbox(session.id))).toBe(outboxMaxEvents);
    expect((await waiting())[0]).toBe("e3");
    const dead = await redis.client.xrange(keys.deadLetters(session.id), "-", "+");
    expect(dead.map(([, fields]) => [fields[1], fields[11], fields[13]])).toEqual([
      ["e0", "0", "full"],
      ["e1", "0", "full"],
      ["e2", "0", "full"],
    ]);
    expect(await redis.client.pttl(keys.deadLetters(session.id))).toBeGreaterThan(6 * 24 * 3_600_000);
  });
  it("gives up the oldest events past 16 MiB, and keeps count over takeovers", async () => {
    await turnOn();
    const text = "x".repeat(4 * 1024 * 1024);
    const updates = updatesOf(session);
    for (const id of ["a", "b", "c"]) await updates.advance({ cursor: id, events: [event(id, text)], messages: none });
    const token = await takeOver(redis.client, session.id);
    expect(
      await session.writer.updates({ id: session.id, token }).advance({ cursor: "d", events: [event("d", text)], messages: none }),
    ).toEqual({ appended: 1, overflowed: 1 });
    expect(await waiting()).toEqual(["b", "c", "d"]);
  });
  it("forgets the oldest chats past 40,000, and none of the last 20,000 at any time", async () => {
    const updates = updatesOf(session);
    for (let end = 1_000; end <= 41_000; end += 1_000) {
      await take(updates, end - 1_000);
      const oldest = Math.max(0, end - 20_000);
      expect(await updates.chatsOf([String(oldest), String(end - 1)])).toEqual(["c", "c"]);
    }
    expect(await updates.chatsOf(["0", "19999", "20000", "40999"])).toEqual([undefined, undefined, "c", "c"]);
    expect(await redis.client.hlen(keys.messageChats(session.id))).toBe(1_000);
    expect(await redis.client.hlen(keys.olderChats(session.id))).toBe(20_000);
  });
  it("keeps the older chats for 30 days after the last message too", async () => {
    const updates = updatesOf(session);
    for (let from = 0; from < 20_000; from += 1_000) await take(updates, from);
    await redis.client.pexpire(keys.olderChats(session.id), 60_000);
    await take(updates, 20_000);
    for (const key of [keys.messageChats(session.id), keys.olderChats(session.id)])
      expect(await redis.client.pttl(key)).toBeGreaterThan(30 * 24 * 3_600_000 - 60_000);
  });
  it("remembers the last 2,000 event ids", async () => {
    const updates = updatesOf(session);
    for (let from = 0; from < 2_500; from += 500)
      await updates.advance({ cursor: "1", events: Array.from({ length: 500 }, (_, i) => event(`e${from + i}`)), messages: none });
    expect(await redis.client.zcard(keys.seenEvents(session.id))).toBe(2_000);
  });
  it("forgets the account's part and keeps what waits", async () => {
    await turnOn();
    const updates = updatesOf(session);
    await updates.advance({ cursor: "1", events: [event("e1")], messages: new Map([["1", "c"]]) });
    await updates.forget();
    expect(await updates.cursor()).toBeUndefined();
    expect(await updates.chatsOf(["1"])).toEqual([undefined]);
    expect(await waiting()).toEqual(["e1"]);
  });
  it("writes nothing for a session that is gone, and its keys go with it", async () => {
    await turnOn();
    const updates = updatesOf(session);
    const step = { cursor: "1", events: [event("e1")], messages: new Map([["1", "c"]]) };
    await updates.advance(step);
    expect(await session.writer.remove(session, undefined)).toBe(true);
    expect(await updates.advance({ ...step, events: [event("e2")] })).toEqual({ appended: 0, overflowed: 0 });
    expect(await redis.client.keys(`*${session.id}*`)).toEqual([]);
  });
  it("goes to the trash for a day when a timer deletes the session", async () => {
    await turnOn();
    const judged = { kind: "awaiting-qr", qr: "", elapsedMs: 5 } as const;
    await session.writer.writeState(session, judged, anyLife, "");
    await updatesOf(session).advance({ cursor: "1", events: [event("e1")], messages: new Map([["1", "c"]]) });
    expect(await session.writer.remove(session, judged)).toBe(true);
    const left = await redis.client.keys(`*${session.id}*`);
    const own = [keys.session, keys.webhook, keys.outbox, keys.messageChats, keys.seenEvents];
    expect(left.sort()).toEqual(own.map((key) => keys.trash(key(session.id))).sort());
    for (const key of left) expect(await redis.client.ttl(key)).toBeGreaterThan(86_000);
  });
});
