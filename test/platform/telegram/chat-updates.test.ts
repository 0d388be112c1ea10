import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { telegramEventTypes, type EventType } from "../../../shared/contract/webhook-events.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import type { Storage, TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";

/** Events of groups, channels, reactions and votes, which a receiver gets only if it lists them. */
let fixture: TelegramFixture;
beforeAll(async () => void (fixture = await TelegramFixture.start({ pingMinMs: 300, pingMaxMs: 500, pongMs: 15_000, gapMs: 100 })));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

const family = "-4000001";
const square = "-1001900000003";
const daily = "-1001900000013";
const all: ReadonlySet<EventType> = new Set(telegramEventTypes);

describe.each([
  ["a basic group", family],
  ["a supergroup", square],
])("in %s", (_, chat) => {
  test("new, edited and deleted messages are reported, with the group and the author", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat, from: "bob", text: "Hello all" });
    await people("edit", { chat, messageId, text: "Hello everybody" });
    await people("delete", { chat, messageId });
    const events = await reported(context, 3);
    const author = { id: person("bob").id, name: person("bob").name };
    expect(events.map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: "group.message.new", data: { id: messageId, chat: { id: chat, phone: "" }, author, fromMe: false, text: "Hello all" } },
      { type: "group.message.edited", data: { id: messageId, chat: { id: chat }, author, text: "Hello everybody" } },
      { type: "group.message.deleted", data: { ids: [messageId], chat: { id: chat } } },
    ]);
    expect(chatOf(events[0])["name"]).not.toBe("");
    expect(dataOf(events[0])["ref"]).toMatch(/^a[\w-]{60,1023}$/);
  });

  test("reactions name the person, each change once", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat, from: "bob", text: "Well done" });
    await people("edit", { chat, messageId, from: "carol", reaction: "👍" });
    await people("edit", { chat, messageId, from: "bob", reaction: "🎉" });
    await people("edit", { chat, messageId, from: "carol", reaction: "❤" });
    await people("edit", { chat, messageId, from: "carol", reaction: "" });
    await people("send", { chat, from: "bob", text: "last" });
    const events = await reported(context, 6);
    const [carol, bob] = [{ id: person("carol").id }, { id: person("bob").id }];
    expect(events.slice(1, 5)).toMatchObject([
      { type: "message.reaction", data: { chat: { id: chat }, author: carol, fromMe: false, messageId, emoji: "👍" } },
      { type: "message.reaction", data: { author: bob, emoji: "🎉" } },
      { type: "message.reaction", data: { author: carol, emoji: "❤" } },
      { type: "message.reaction", data: { author: carol, emoji: "" } },
    ]);
    expect(textOf(events[5])).toBe("last");
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
  });

  test("changes are reported in the order of the messages", async () => {
    const { context } = await atRest();
    await people("group", { chat, from: "bob", subject: "A new name" });
    await people("send", { chat, from: "bob", text: "nice name" });
    await people("group", { chat, from: "bob", add: ["grace"] });
    await people("group", { chat, from: "bob", remove: ["grace"] });
    const events = await reported(context, 4);
    const [bob, grace] = [{ id: person("bob").id }, [person("grace").id]];
    expect(events).toMatchObject([
      { type: "group.changed", data: { chat: { id: chat }, author: bob, change: "subject", members: [], value: "A new name" } },
      { type: "group.message.new", data: { text: "nice name", chat: { name: "A new name" } } },
      { type: "group.changed", data: { change: "add", members: grace, value: "" } },
      { type: "group.changed", data: { change: "remove", members: grace, author: bob } },
    ]);
  });

  test("what was not pushed is fetched, in order, each once", async () => {
    const { context } = await atRest();
    await fixture.fault({ kind: "gap", account: "alice", times: 2 });
    for (const text of ["one", "two", "three"]) await people("send", { chat, from: "bob", text });
    expect((await reported(context, 3)).map(textOf)).toEqual(["one", "two", "three"]);
  });

  test("what comes twice or out of order is reported once, in order", async () => {
    const { context } = await atRest();
    await fixture.fault({ kind: "duplicate", account: "alice", times: 1 });
    await people("send", { chat, from: "bob", text: "one" });
    await fixture.fault({ kind: "reorder", account: "alice", times: 1 });
    for (const text of ["two", "three", "four"]) await people("send", { chat, from: "bob", text });
    expect((await reported(context, 4)).map(textOf)).toEqual(["one", "two", "three", "four"]);
    expect(context.storage.updates?.events).toHaveLength(4);
  });

  test("what happened while no owner was connected is reported by the next one", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat, from: "bob", text: "before" });
    await reported(context, 1);
    await fixture.closeSessions();
    const away = await people("send", { chat, from: "carol", text: "away" });
    await people("edit", { chat, messageId: away["messageId"], from: "bob", reaction: "👍" });
    await people("delete", { chat, messageId });
    await people("group", { chat, from: "bob", subject: "While away" });
    const next = open(context.storage);
    const events = await reported(next, 5);
    expect(
      events
        .slice(1)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["group.changed", "group.message.deleted", "group.message.new", "message.reaction"].sort());
    expect(events).toContainEqual(
      expect.objectContaining({ type: "group.message.deleted", data: expect.objectContaining({ ids: [messageId] }) as unknown }),
    );
  });

  test("the session's own messages, edits and reactions are no event", async () => {
    const { context, session } = await atRest();
    const to = { kind: "group", chat: { kind: "id", id: chat } } as const;
    const { messageId } = await fixture.run(session, "send-message", { to, type: "text", text: "mine" });
    await people("edit", { chat, messageId, from: "bob", reaction: "👍" });
    await people("send", { chat, from: "bob", text: "theirs" });
    expect((await reported(context, 2)).map(({ type }) => type)).toEqual(["message.reaction", "group.message.new"]);
  });

  test("nothing is reported, stored or fetched while nobody lists it", async () => {
    const { context } = await atRest(new Set(["message.new"]));
    fixture.resetCalls();
    const { messageId } = await people("send", { chat, from: "bob", text: "to all" });
    await people("edit", { chat, messageId, from: "bob", reaction: "👍" });
    await people("send", { chat: "bob", text: "last" });
    expect((await reported(context, 1)).map(textOf)).toEqual(["last"]);
    expect(fixture.calls("updates.getChannelDifference")).toBe(0);
    expect(context.storage.updates?.positions).toBeUndefined();
    expect(context.storage.updates?.chats.has(String(messageId))).toBe(false);
  });
});

test("a member of a basic group becomes an administrator and stops to be one", async () => {
  const { context } = await atRest();
  await people("group", { chat: family, from: "bob", promote: ["carol"] });
  await people("group", { chat: family, from: "bob", demote: ["carol"] });
  expect(await reported(context, 2)).toMatchObject([
    { type: "group.changed", data: { chat: { id: family }, author: { id: "" }, change: "promote", members: [person("carol").id] } },
    { type: "group.changed", data: { change: "demote", members: [person("carol").id] } },
  ]);
});

describe("in a channel", () => {
  test("posts are reported without an author, and edits, reactions and deletions are not", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat: daily, text: "Open until six" });
    await people("edit", { chat: daily, messageId, text: "Open until seven" });
    await people("edit", { chat: daily, messageId, reaction: "👍" });
    await people("delete", { chat: daily, messageId });
    await people("send", { chat: daily, text: "last" });
    const events = await reported(context, 2);
    expect(events).toMatchObject([
      { type: "channel.message.new", data: { id: messageId, chat: { id: daily, username: "sandbox_daily" }, text: "Open until six" } },
      { type: "channel.message.new", data: { text: "last" } },
    ]);
    expect(dataOf(events[0])).not.toHaveProperty("author");
  });

  test("posts of an absence are read from the history if the platform no longer lists them", async () => {
    const { context } = await atRest();
    await people("send", { chat: daily, text: "before" });
    await reported(context, 1);
    await fixture.closeSessions();
    const expected = ["before"];
    for (let n = 0; n < 130; n += 1) {
      expected.push(`post ${n}`);
      await people("send", { chat: daily, text: `post ${n}` });
    }
    const next = open(context.storage);
    expect((await reported(next, 131)).map(textOf)).toEqual(expected);
  });
});

describe("in a private chat", () => {
  test("reactions of the other person and of the account's phone are reported", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat: "bob", text: "Well?" });
    await people("edit", { chat: "bob", messageId, reaction: "👍" });
    await people("edit", { chat: "bob", messageId, reaction: "" });
    const events = await reported(context, 3);
    expect(events.slice(1)).toMatchObject([
      { type: "message.reaction", data: { chat: person("bob"), fromMe: false, messageId, emoji: "👍" } },
      { type: "message.reaction", data: { chat: person("bob"), fromMe: false, messageId, emoji: "" } },
    ]);
    expect(dataOf(events[1])).not.toHaveProperty("author");
  });

  test("a reaction during an absence is reported", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat: "bob", text: "Well?" });
    await reported(context, 1);
    await fixture.closeSessions();
    await people("edit", { chat: "bob", messageId, reaction: "👍" });
    const events = await reported(open(context.storage), 2);
    expect(events[1]).toMatchObject({ type: "message.reaction", data: { messageId, emoji: "👍" } });
  });
});

describe("votes", () => {
  test("in a poll that shows its voters are reported once the account has voted", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat: square, from: "bob", media: "poll", options: ["At seven", "At eight"] });
    await people("vote", { chat: square, messageId, from: "bob", options: ["At seven"] });
    await people("vote", { chat: square, messageId, out: true, options: ["At eight"] });
    await people("vote", { chat: square, messageId, from: "carol", options: ["At eight"] });
    await people("vote", { chat: square, messageId, from: "bob", options: [] });
    const votes = (await reported(context, 5)).slice(1);
    expect(votes.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => "poll.vote"));
    expect(votes.map(dataOf)).toMatchObject([
      { chat: { id: square }, author: { id: person("bob").id }, fromMe: false, messageId, options: ["At seven"] },
      { author: { id: person("alice").id }, fromMe: true, options: ["At eight"] },
      { author: { id: person("carol").id }, fromMe: false, options: ["At eight"] },
      { author: { id: person("bob").id }, options: [] },
    ]);
  });

  test("in an anonymous poll are not reported", async () => {
    const { context } = await atRest();
    const { messageId } = await people("send", { chat: family, from: "bob", media: "poll", anonymous: true });
    await people("vote", { chat: family, messageId, out: true, options: ["At eight"] });
    await people("send", { chat: family, from: "bob", text: "last" });
    expect((await reported(context, 2)).map(({ type }) => type)).toEqual(["group.message.new", "group.message.new"]);
  });
});

test("events of groups begin when the receiver lists them, and messages from before do not come", async () => {
  const { context } = await atRest();
  await people("send", { chat: square, from: "bob", text: "one" });
  await reported(context, 1);
  context.requested = new Set(["message.new"]);
  await people("send", { chat: square, from: "bob", text: "two" });
  await people("send", { chat: "bob", text: "private" });
  await reported(context, 2);
  await fixture.closeSessions();
  const next = open(context.storage, new Set(["message.new"]));
  await next.connected();
  await people("send", { chat: "bob", text: "private again" });
  await reported(next, 3);
  next.requested = all;
  await people("send", { chat: square, from: "bob", text: "three" });
  expect((await reported(next, 4)).map(textOf)).toEqual(["one", "private", "private again", "three"]);
});

test("messages that come while nobody lists them are not fetched later by the same connection", async () => {
  const { context } = await atRest();
  await people("send", { chat: square, from: "bob", text: "one" });
  await reported(context, 1);
  context.requested = new Set(["message.new"]);
  await people("send", { chat: "bob", text: "private" });
  await reported(context, 2);
  await people("send", { chat: square, from: "bob", text: "unlisted" });
  await people("send", { chat: "bob", text: "private again" });
  await reported(context, 3);
  context.requested = all;
  await people("send", { chat: square, from: "bob", text: "two" });
  expect((await reported(context, 4)).map(textOf)).toEqual(["one", "private", "private again", "two"]);
});

test("the positions of a former account do not count for the next one", async () => {
  const { context } = await atRest();
  await people("send", { chat: square, from: "bob", text: "before" });
  await reported(context, 1);
  await fixture.closeSessions();
  await people("send", { chat: square, from: "bob", text: "away" });
  const { updates } = context.storage;
  if (updates === undefined) throw new Error("nothing stored");
  const former = JSON.stringify(["1", 1, 1, 1, 1, 0]);
  updates.cursor = former;
  const next = open(context.storage);
  await next.connected();
  // What comes before its first position belongs to the former account.
  await eventually("a position of its own", () => updates.cursor !== undefined && updates.cursor !== former);
  await people("send", { chat: "bob", text: "private" });
  await reported(next, 2);
  await people("send", { chat: square, from: "bob", text: "after" });
  expect((await reported(next, 3)).map(textOf)).toEqual(["before", "private", "after"]);
});

test("messages that come while the list of chats is read are reported", async () => {
  const { context } = await atRest(new Set(["message.new"]));
  await fixture.fault({ kind: "delay", account: "alice", method: "messages.getDialogs", seconds: 0.3, times: 1 });
  context.requested = all;
  await people("send", { chat: "bob", text: "private" });
  await people("send", { chat: square, from: "bob", text: "one" });
  await people("send", { chat: daily, text: "two" });
  expect((await reported(context, 3)).map(textOf)).toEqual(["private", "one", "two"]);
});

test("a refused difference of a channel is retried, and private chats do not wait for it", async () => {
  const { context } = await atRest();
  await fixture.fault({ kind: "error", error: "500 INTERNAL", method: "updates.getChannelDifference", account: "alice", times: 1 });
  await fixture.fault({ kind: "gap", account: "alice", times: 1 });
  await people("send", { chat: square, from: "bob", text: "lost" });
  await people("send", { chat: square, from: "bob", text: "next" });
  await people("send", { chat: "bob", text: "private" });
  expect((await reported(context, 3)).map(textOf)).toEqual(["private", "lost", "next"]);
});

/** Opens a session that has listed its chats and has stored all of its updates and events. */
async function atRest(requested = all): Promise<{ context: TestContext; session: Session<TelegramConnector> }> {
  const context = open(undefined, requested);
  const session = last;
  await fixture.scan("alice", await context.qr());
  await context.connected();
  await people("send", { chat: "bob", text: "first" });
  await reported(context, 1);
  if (requested.size > 1) await eventually("its chats are followed", () => (context.storage.updates?.positions?.size ?? 0) > 1);
  context.storage.updates?.events.splice(0);
  return { context, session };
}

let last: Session<TelegramConnector>;

function open(storage?: Storage, requested = all): TestContext {
  const { context, session } = fixture.open(storage);
  context.requested = requested;
  last = session;
  return context;
}

async function people(action: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await fetch(`${fixture.sandbox.controlUrl}/people/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", account: "alice", ...body }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}

/** Returns the events as soon as there are `count`. */
async function reported(context: TestContext, count: number): Promise<readonly UpdateEvent[]> {
  const events = (): readonly UpdateEvent[] => context.storage.updates?.events ?? [];
  await eventually(`${count} events`, () => events().length >= count);
  return events();
}

function dataOf(event: UpdateEvent | undefined): Record<string, unknown> {
  return event?.data as Record<string, unknown>;
}

const textOf = (event: UpdateEvent | undefined): unknown => dataOf(event)["text"];
const chatOf = (event: UpdateEvent | undefined): Record<string, unknown> => dataOf(event)["chat"] as Record<string, unknown>;

function person(name: string): { readonly id: string; readonly name: string } {
  const one = fixture.sandbox.telegram.world.accounts.get(name)?.person;
  if (one === undefined) throw new Error(`no ${name}`);
  return { id: String(one.id), name: [one.firstName, one.lastName].filter(Boolean).join(" ") };
}
