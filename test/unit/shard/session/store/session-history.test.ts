import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { keys } from "../../../../../shared/redis/keys.js";
import { FencedError } from "../../../../../shared/redis/script.js";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import { SessionWriter } from "../../../../../shard/session/store/session-writer.js";
import { ownedSession, takeOver, testRing, type OwnedSession } from "../../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
let owned: OwnedSession;
const most = 5;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  owned = await ownedSession(redis.client);
});

const writer = (entries = most): SessionWriter => new SessionWriter(redis.client, testRing, entries);
const slot = () => ({ id: owned.id, token: owned.token });
const event = (id: string, to: UpdateEvent["to"] = "history", data: object = { text: id }): UpdateEvent => ({
  ...{ id, type: "message.new", created: new Date().toISOString(), data },
  ...(to && { to }),
});
const write = (...events: UpdateEvent[]) => writer().secrets(slot()).apply(new Map(), events);
const history = async (entries = most) => (await writer(entries).history(slot()).read()).map(({ id, data }) => [id, data]);
const outbox = async () => (await redis.client.xrange(keys.outbox(owned.id), "-", "+")).map(([, fields]) => fields[1]);
const turnOn = () => redis.client.hset(keys.webhook(owned.id), "on", "1", "epoch", "1", "onAt", String(Date.now()));

it("an event goes to the webhook, to the history, or to both", async () => {
  await turnOn();
  await write(event("a", "history"), event("b", "both"), event("c", "webhook"), { ...event("d"), to: undefined } as unknown as UpdateEvent);
  expect(await outbox()).toEqual(["b", "c", "d"]);
  expect((await history()).map(([id]) => id)).toEqual(["a", "b"]);
});

it("the history is kept while the webhook is off, and a repeated write adds nothing", async () => {
  await write(event("a"), event("b", "both"));
  await write(event("a"), event("b", "both"));
  expect(await outbox()).toEqual([]);
  expect((await history()).map(([id]) => id)).toEqual(["a", "b"]);
});

it("an entry has the secret of its message", async () => {
  await write({ ...event("a"), secret: "c2VjcmV0" }, event("b"));
  const entries = await writer().history(slot()).read();
  expect(entries.map(({ id, data, secret }) => [id, data, secret])).toEqual([
    ["a", { text: "a" }, "c2VjcmV0"],
    ["b", { text: "b" }, undefined],
  ]);
});

it("only the newest entries are kept", async () => {
  for (let at = 0; at < 9; at += 1) await write(event(`e${at}`));
  expect((await history()).map(([id]) => id)).toEqual(["e4", "e5", "e6", "e7", "e8"]);
  expect((await history(2)).map(([id]) => id)).toEqual(["e7", "e8"]);
});

it("the history ends 30 days after its last entry, however it got there", async () => {
  const days = async (): Promise<number> => Math.round((await redis.client.pttl(keys.history(owned.id))) / 86_400_000);
  await write(event("a"));
  expect(await days()).toBe(30);
  await redis.client.del(keys.history(owned.id));
  await writer().secrets(slot()).keepSent("m1", Buffer.from("content"), event("b"));
  expect(await days()).toBe(30);
});

it("nothing is kept with a limit of 0", async () => {
  await writer(0)
    .secrets(slot())
    .apply(new Map(), [event("a", "both")]);
  await writer(0).secrets(slot()).keepSent("m1", Buffer.from("content"), event("b"));
  expect([await redis.client.exists(keys.history(owned.id)), writer(0).history(slot()).isOn]).toEqual([0, false]);
});

it("a sent message's entry is written with its content", async () => {
  await writer().secrets(slot()).keepSent("m1", Buffer.from("content"), event("a"));
  expect(await history()).toEqual([["a", { text: "a" }]]);
  expect((await writer().secrets(slot()).readSent("m1"))?.toString()).toBe("content");
});

it("empty fields are left out, and elements of lists are not", async () => {
  await write(event("a", "history", { text: "", size: 0, voice: false, ids: [], options: ["", "x"], poll: { multiple: false } }));
  expect(await history()).toEqual([["a", { options: ["", "x"], poll: {} }]]);
});

it("an event can keep more than its receiver gets", async () => {
  await write({ ...event("a", "both"), kept: { text: "a", by: "them" } });
  expect(await history()).toEqual([["a", { text: "a", by: "them" }]]);
});

it("a long text is cut, and an entry that stays too long is dropped", async () => {
  await write(event("long", "history", { text: "x".repeat(20_000), mentions: Array(1_000).fill("1@lid") }));
  await write(event("huge", "history", { options: Array(100).fill("x".repeat(10_000)) }));
  const [[id, data] = []] = await history();
  expect([id, (data as { text: string }).text.length, (data as { mentions: string[] }).mentions.length]).toEqual(["long", 4_096, 32]);
  expect(await history()).toHaveLength(1);
});

it("is sealed, and an altered entry is left out", async () => {
  await write(event("a", "history", { text: "secret text" }));
  const raw = await redis.client.xrange(keys.history(owned.id), "-", "+");
  expect(JSON.stringify(raw)).not.toContain("secret text");
  await redis.client.xadd(keys.history(owned.id), "*", "b", "not sealed");
  await write(event("b"));
  expect((await history()).map(([id]) => id)).toEqual(["a", "b"]);
});

it("is deleted with its session, and cleared for another account", async () => {
  await write(event("a"));
  await writer().history(slot()).clear();
  expect(await history()).toEqual([]);
  await write(event("b"));
  await writer().remove(slot(), undefined);
  expect(await redis.client.exists(keys.history(owned.id))).toBe(0);
});

it("moves to the next owner, and the former one changes nothing", async () => {
  await write(event("a"));
  const token = await takeOver(redis.client, owned.id);
  await expect(write(event("b"))).rejects.toThrow(FencedError);
  await expect(writer().history(slot()).clear()).rejects.toThrow(FencedError);
  expect((await writer().history({ id: owned.id, token }).read()).map(({ id }) => id)).toEqual(["a"]);
});
