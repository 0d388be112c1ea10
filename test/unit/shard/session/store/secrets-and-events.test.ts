import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../../../../shared/redis/keys.js";
import { FencedError } from "../../../../../shared/redis/script.js";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import type { SessionSecrets } from "../../../../../shard/session/store/session-secrets.js";
import { ownedSession, takeOver, type OwnedSession } from "../../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
let session: OwnedSession;
let secrets: SessionSecrets;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  session = await ownedSession(redis.client);
  secrets = session.writer.secrets({ id: session.id, token: session.token });
});

const event = (id: string, created = new Date().toISOString()): UpdateEvent => ({ id, type: "message.new", created, data: { text: "hi" } });
const turnOn = () => redis.client.hset(keys.webhook(session.id), "on", "1", "epoch", "1", "onAt", String(Date.now()));
const waiting = async (): Promise<string[]> =>
  (await redis.client.xrange(keys.outbox(session.id), "-", "+")).map(([, fields]) => fields[1] ?? "");
const stored = async (...fields: string[]) => (await secrets.getMany(fields)).map((value) => value?.toString());
const change = (...entries: [string, string | undefined][]) =>
  new Map(entries.map(([field, value]) => [field, value === undefined ? undefined : Buffer.from(value)]));
const seen = (id: string) => session.writer.updates({ id: session.id, token: session.token }).seen(id);

describe("secrets and their events", () => {
  it("are written together", async () => {
    await turnOn();
    await secrets.apply(change(["old", "1"], ["kept", "1"]));
    const written = await secrets.apply(change(["old", undefined], ["new", "2"]), [event("e1"), event("e2")]);
    expect(written).toEqual({ appended: 2, overflowed: 0 });
    expect(await stored("old", "kept", "new")).toEqual([undefined, "1", "2"]);
    expect(await waiting()).toEqual(["e1", "e2"]);
  });

  it("are opened by their own session, under names that say nothing", async () => {
    await turnOn();
    await secrets.apply(change(["session:15550000002", "secret text"]), [event("e1")]);
    const raw = JSON.stringify([
      await redis.client.hgetall(keys.secrets(session.id)),
      await redis.client.xrange(keys.outbox(session.id), "-", "+"),
      await redis.client.zrange(keys.seenEvents(session.id), "0", "-1"),
    ]);
    for (const text of ["15550000002", "secret text", '"text"']) expect(raw).not.toContain(text);
  });

  it("can be repeated: no event is appended twice", async () => {
    await turnOn();
    const step = [change(["new", "2"]), [event("e1"), event("e1"), event("e2")]] as const;
    expect(await secrets.apply(...step)).toEqual({ appended: 2, overflowed: 0 });
    expect(await secrets.apply(...step)).toEqual({ appended: 0, overflowed: 0 });
    expect(await secrets.apply(new Map(), [event("e2"), event("e3")])).toEqual({ appended: 1, overflowed: 0 });
    expect(await waiting()).toEqual(["e1", "e2", "e3"]);
    expect(await stored("new")).toEqual(["2"]);
  });

  it("leave the cursor and the chats of the session's updates as they are", async () => {
    await turnOn();
    const updates = session.writer.updates({ id: session.id, token: session.token });
    await updates.advance({ cursor: "7", events: [], messages: new Map([["1", "chat"]]) });
    await secrets.apply(change(["new", "2"]), [event("e1")]);
    expect([await updates.cursor(), await updates.chatsOf(["1"])]).toEqual(["7", ["chat"]]);
  });

  it("are stored beside the chats of more messages than one command takes", async () => {
    const updates = session.writer.updates({ id: session.id, token: session.token });
    const messages = new Map(Array.from({ length: 1_201 }, (_, id) => [String(id), `chat ${id}`] as const));
    await updates.advance({ cursor: "7", events: [event("e1")], messages, positions: new Map([["channel", "9"]]) });
    expect(await updates.chatsOf([...messages.keys()])).toEqual([...messages.values()]);
    expect([await updates.cursor(), await updates.positionsOf(["channel"]), await seen("e1")]).toEqual(["7", ["9"], true]);
  });

  it("store the secrets while the webhook is off, and the event counts as seen", async () => {
    expect(await secrets.apply(change(["new", "2"]), [event("e1")])).toEqual({ appended: 0, overflowed: 0 });
    await turnOn();
    expect(await secrets.apply(new Map(), [event("e1"), event("old", "2020-01-01T00:00:00.000Z")])).toEqual({ appended: 0, overflowed: 0 });
    expect([await stored("new"), await waiting(), await seen("e1"), await seen("old"), await seen("e2")]).toEqual([
      ["2"],
      [],
      true,
      true,
      false,
    ]);
  });

  it("of a deleted session are not written", async () => {
    await turnOn();
    await secrets.getMany(["new"]);
    await redis.client.del(keys.session(session.id));
    expect(await secrets.apply(change(["new", "2"]), [event("e1")])).toEqual({ appended: 0, overflowed: 0 });
    expect(await redis.client.exists(keys.secrets(session.id), keys.outbox(session.id), keys.seenEvents(session.id))).toBe(0);
  });

  it("of a former owner are not written", async () => {
    await turnOn();
    await takeOver(redis.client, session.id);
    await expect(secrets.apply(change(["new", "2"]), [event("e1")])).rejects.toBeInstanceOf(FencedError);
    expect([await stored("new"), await waiting(), await seen("e1")]).toEqual([[undefined], [], false]);
  });

  it("are written in the order of the calls, with events or without", async () => {
    await turnOn();
    await Promise.all([
      secrets.apply(change(["new", "1"]), [event("e1")]),
      secrets.apply(change(["new", "2"])),
      secrets.apply(change(["new", "3"]), [event("e2")]),
    ]);
    expect([await stored("new"), await waiting()]).toEqual([["3"], ["e1", "e2"]]);
  });

  it("are many or none", async () => {
    await turnOn();
    const many = Array.from({ length: 3_000 }, (_, index) => [`field ${index}`, String(index)] as [string, string]);
    expect(await secrets.apply(change(...many), [event("e1")])).toEqual({ appended: 1, overflowed: 0 });
    expect(await stored("field 0", "field 2999")).toEqual(["0", "2999"]);
    expect(await secrets.apply(new Map())).toEqual({ appended: 0, overflowed: 0 });
  });
});

it("an event counts as seen for its own session alone, also for the next owner", async () => {
  await turnOn();
  await secrets.apply(new Map(), [event("e1")]);
  const token = await takeOver(redis.client, session.id);
  expect(await session.writer.updates({ id: session.id, token }).seen("e1")).toBe(true);
  const other = await ownedSession(redis.client);
  expect(await other.writer.updates({ id: other.id, token: other.token }).seen("e1")).toBe(false);
});
