import { Api } from "telegram";
import bigInt from "big-integer";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MediaAddress } from "../../../shared/contract/media.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { defaultEventTypes } from "../../../shared/contract/webhook-events.js";
import { eventually } from "../../harness/eventually.js";
import type { Storage, TestContext } from "../session-context.js";
import { parseCursor } from "../../../shard/telegram/updates/update-position.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
beforeAll(async () => void (fixture = await TelegramFixture.start({ pingMinMs: 300, pingMaxMs: 500, pongMs: 15_000, gapMs: 100 })));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

describe("events that a receiver gets", () => {
  test("reports an incoming message", async () => {
    const { context } = await fixture.login("alice");
    const chat = person("bob");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "Hello 👋" });
    const [event] = await reported(context, 1);
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: "message.new",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: {
        id: messageId,
        ref: expect.stringMatching(/^a[\w-]{60,1023}$/),
        chat,
        fromMe: false,
        type: "text",
        text: "Hello 👋",
        entities: [],
        albumId: "",
        created: event?.created,
        edited: "",
        replyTo: "",
        url: "",
        thumbnail: "",
        mimetype: "",
        name: "",
        size: 0,
        duration: 0,
        width: 0,
        height: 0,
        voice: false,
        round: false,
        animation: false,
        title: "",
        performer: "",
      },
    });
  });

  test("what the parts of a text are: formatted, links, people", async () => {
    const { context } = await fixture.login("alice");
    const text = "👋 the list, Carol and example.org";
    const entities = [
      { type: "textUrl", offset: 3, length: 8, url: "https://example.org/list?a=1" },
      { type: "bold", offset: 3, length: 8 },
      { type: "mentionName", offset: 13, length: 5, userId: person("carol").id },
    ];
    const { messageId } = await people("send", { account: "alice", chat: "bob", text, entities });
    await people("edit", {
      account: "alice",
      messageId,
      text: "x y",
      entities: [{ type: "blockquote", offset: 0, length: 3, collapsed: true }],
    });
    const [sent, edited] = await reported(context, 2);
    expect(dataOf(sent)["entities"]).toEqual([
      { type: "text_link", offset: 3, length: 8, url: "https://example.org/list?a=1" },
      { type: "bold", offset: 3, length: 8 },
      { type: "text_mention", offset: 13, length: 5, user: person("carol").id },
      { type: "url", offset: 23, length: 11 },
    ]);
    expect(dataOf(edited)["entities"]).toEqual([{ type: "expandable_blockquote", offset: 0, length: 3 }]);
  });

  test("an edit of nothing but a link behind the text", async () => {
    const { context } = await fixture.login("alice");
    const link = (url: string): object => ({ entities: [{ type: "textUrl", offset: 0, length: 4, url }] });
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "here", ...link("https://a.example/") });
    for (const url of ["https://b.example/", "https://c.example/", "https://b.example/"])
      await people("edit", { account: "alice", messageId, text: "here", ...link(url) });
    const urls = (await reported(context, 4)).map((event) => (dataOf(event)["entities"] as { url: string }[])[0]?.url);
    expect(urls).toEqual(["https://a.example/", "https://b.example/", "https://c.example/", "https://b.example/"]);
  });

  test("which messages are one album", async () => {
    const { context } = await fixture.login("alice");
    for (const album of [7, 7, 8, undefined])
      await people("send", { account: "alice", chat: "bob", media: "photo", ...(album && { album }) });
    expect((await reported(context, 4)).map((event) => dataOf(event)["albumId"])).toEqual(["7", "7", "8", ""]);
  });

  test("reports a reply, and a message from the account's other devices", async () => {
    const { context } = await fixture.login("alice");
    const first = await people("send", { account: "alice", chat: "bob", text: "question" });
    await people("send", { account: "alice", chat: "bob", text: "answer", replyTo: first["messageId"], out: true });
    expect((await reported(context, 2)).map(dataOf)).toMatchObject([
      { text: "question", fromMe: false, replyTo: "" },
      { text: "answer", fromMe: true, replyTo: first["messageId"], chat: { id: person("bob").id } },
    ]);
  });

  test("reports what the account writes to itself on another device as its own", async () => {
    const { context } = await fixture.login("alice");
    await people("send", { account: "alice", chat: "alice", text: "note to self", out: true });
    expect((await reported(context, 1)).map(dataOf)).toMatchObject([
      { text: "note to self", fromMe: true, chat: { id: person("alice").id } },
    ]);
  });

  test("a person's photo has a link that changes with it", async () => {
    const { session, context } = await fixture.login("alice");
    const photoOf = async (rows: number): Promise<MediaAddress> => {
      await people("send", { account: "alice", chat: "bob", text: "look at me" });
      const [, chatId = "", messageId = ""] =
        /\/(\d+)\/(\d+)\/profile\/signature\.jpg$/.exec(
          String((dataOf((await reported(context, rows)).at(-1))["chat"] as Record<string, unknown>)["thumbnail"]),
        ) ?? [];
      return { chatId, messageId, variant: "profile" };
    };
    const first = await photoOf(1);
    expect(await fixture.run(session, "describe-media", first)).toMatchObject({ mimetype: "image/jpeg" });
    await people("photo", { account: "alice", chat: "bob" });
    const second = await photoOf(2);
    expect(second.messageId).not.toBe(first.messageId);
    expect(await fixture.run(session, "describe-media", second)).toMatchObject({ mimetype: "image/jpeg" });
    await expect(fixture.run(session, "describe-media", first)).rejects.toMatchObject({ status: 404, message: "media not found" });
  });

  test.each([
    ["photo", { type: "image", mimetype: "image/jpeg", url: /\/photo\/signature\.jpg$/, thumbnail: /\/thumb\/signature\.jpg$/ }],
    ["sticker", { type: "sticker", mimetype: "image/webp", url: /\/file\/signature\.webp$/ }],
    ["video", { type: "video", mimetype: "video/mp4", url: /\/file\/signature\.mp4$/, thumbnail: /\/thumb\/signature\.jpg$/ }],
    ["audio", { type: "audio", url: /\/file\/signature\.\w+$/, title: "Tune", performer: "The Sandboxes", voice: false }],
    ["voice", { type: "audio", url: /\/file\/signature\.\w+$/, title: "", performer: "", voice: true }],
    ["round", { type: "video", width: 384, height: 384, round: true, animation: false }],
    ["animation", { type: "video", round: false, animation: true }],
    ["document", { type: "document", url: /\/file\/signature\.\w+$/ }],
    ["location", { type: "location", location: { latitude: 51.5007, longitude: -0.1246, name: "", address: "" }, url: "" }],
    ["contact", { type: "contact", contact: { name: "Alice", phone: "15550100001" }, url: "" }],
  ])("a %s", async (media, expected) => {
    const { context } = await fixture.login("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", media, text: "see" });
    const [event] = await reported(context, 1);
    const data = dataOf(event);
    for (const [field, value] of Object.entries(expected)) {
      if (value instanceof RegExp) expect(data[field], field).toMatch(value);
      else expect(data[field], field).toEqual(value);
    }
    expect(data).toMatchObject({ text: "see" });
    if (data["url"] !== "") {
      expect(data["url"]).toContain(`/media/${context.id}/${person("bob").id}/${String(messageId)}/`);
      expect(data["size"]).toBeGreaterThan(0);
    }
  });

  test("an edit, a deletion, and what each side has read", async () => {
    const { context } = await fixture.login("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "one" });
    await people("edit", { account: "alice", messageId, text: "two" });
    await people("read", { account: "alice", chat: "bob", messageId, inbox: true });
    const sent = await people("send", { account: "alice", chat: "bob", text: "mine", out: true });
    await people("read", { account: "alice", chat: "bob", messageId: sent["messageId"] });
    await people("delete", { account: "alice", messageId });
    const chat = person("bob");
    const events = await reported(context, 6);
    expect(events.map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: "message.new", data: { id: messageId, text: "one", edited: "" } },
      { type: "message.edited", data: { id: messageId, text: "two", edited: expect.stringMatching(/Z$/), chat } },
      { type: "message.read", data: { chat, until: messageId, by: "me" } },
      { type: "message.new", data: { text: "mine", fromMe: true } },
      { type: "message.read", data: { chat, until: sent["messageId"], by: "them" } },
      { type: "message.deleted", data: { chat, ids: [messageId] } },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
  });

  test("two edits in one second are two", async () => {
    const { context } = await fixture.login("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "one" });
    for (const text of ["two", "three", "four"]) await people("edit", { account: "alice", messageId, text });
    expect((await reported(context, 4)).map((event) => dataOf(event)["text"])).toEqual(["one", "two", "three", "four"]);
  });

  test("edits back and forth in one second end with what the message says", async () => {
    const { context } = await fixture.login("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "A" });
    const edits = ["B", "A", "B", "A", "B"];
    for (const text of edits) await people("edit", { account: "alice", messageId, text });
    const events = await reported(context, 6);
    expect(texts(events)).toEqual(["A", ...edits]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
  });

  test("reports an edit once, whatever events and reactions follow", async () => {
    const { context } = await fixture.login("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "typo" });
    await people("edit", { account: "alice", messageId, text: "no typo" });
    await reported(context, 2);
    const bob = Number(person("bob").id);
    for (let i = 0; i < 2_100; i++) {
      fixture.sandbox.telegram.delivery.receive(account("alice"), bob, bob, { text: String(i) });
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await reported(context, 2_102);
    await people("edit", { account: "alice", messageId, reaction: "👍" });
    await people("send", { account: "alice", chat: "bob", text: "last" });
    const after = (await reported(context, 2_103)).slice(2_102);
    expect(after.map((event) => [event.type, dataOf(event)["text"]])).toEqual([["message.new", "last"]]);
  });

  test("no reaction to a message that was edited before the login", async () => {
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "old" });
    await people("edit", { account: "alice", messageId, text: "old, edited" });
    const stored = account("alice").box.messages.get(Number(messageId));
    if (stored === undefined) throw new Error("the message is gone");
    Object.assign(stored, { editDate: stored.date - 86_400 });
    const { context } = await fixture.login("alice");
    await people("edit", { account: "alice", messageId, reaction: "👍" });
    await people("send", { account: "alice", chat: "bob", text: "last" });
    expect(texts(await reported(context, 1))).toEqual(["last"]);
  });

  test("one deletion of messages of two chats is one event for each chat", async () => {
    const { context } = await fixture.login("alice");
    const ids = [];
    for (const chat of ["bob", "carol", "bob"]) ids.push((await people("send", { account: "alice", chat, text: "x" }))["messageId"]);
    await people("delete", { account: "alice", messageIds: ids });
    const events = await reported(context, 5);
    expect(events.slice(3)).toMatchObject([
      { type: "message.deleted", data: { chat: person("bob"), ids: [ids[0], ids[2]] } },
      { type: "message.deleted", data: { chat: person("carol"), ids: [ids[1]] } },
    ]);
  });

  test("no reaction, neither to a message nor to an edited one", async () => {
    const { context } = await fixture.login("alice");
    const plain = await people("send", { account: "alice", chat: "bob", text: "plain" });
    const edited = await people("send", { account: "alice", chat: "bob", text: "typo" });
    await people("edit", { account: "alice", messageId: edited["messageId"], text: "no typo" });
    for (const { messageId } of [plain, edited]) await people("edit", { account: "alice", messageId, reaction: "👍" });
    await people("send", { account: "alice", chat: "bob", text: "last" });
    expect((await reported(context, 4)).map((event) => [event.type, dataOf(event)["text"]])).toEqual([
      ["message.new", "plain"],
      ["message.new", "typo"],
      ["message.edited", "no typo"],
      ["message.new", "last"],
    ]);
  });

  test("nothing of groups and channels, of older messages, of what is unknown", async () => {
    const alice = account("alice");
    const [group, supergroup] = [
      [...alice.chats].find((id) => id < 0 && id > -1_000_000_000_000),
      [...alice.chats].find((id) => id < -1_000_000_000_000),
    ];
    const old = await people("send", { account: "alice", chat: "bob", text: "before the login" });
    const { context } = await fixture.login("alice");
    for (const chat of [group, supergroup]) {
      const { messageId } = await people("send", { account: "alice", chat: String(chat), text: "to all" });
      await people("edit", { account: "alice", chat: String(chat), messageId, text: "to all of you" });
      await people("delete", { account: "alice", chat: String(chat), messageId });
    }
    await people("delete", { account: "alice", messageId: old["messageId"] });
    await people("send", { account: "alice", chat: "bob", text: "last" });
    expect((await reported(context, 1)).map((event) => dataOf(event)["text"])).toEqual(["last"]);
  });
});

describe("own sends", () => {
  test(
    "are no gap and no event, but their chat is known",
    unhurried(async () => {
      const { session, context } = await atRest("alice");
      fixture.resetCalls();
      const id = await sendText(session, "bob", "from the gateway");
      await people("send", { account: "alice", chat: "bob", text: "and back" });
      await people("read", { account: "alice", chat: "bob", messageId: id });
      await people("edit", { account: "alice", messageId: id, text: "changed on the phone" });
      await people("delete", { account: "alice", messageId: id });
      expect((await reported(context, 4)).map(({ type, data }) => ({ type, data }))).toMatchObject([
        { type: "message.new", data: { text: "and back" } },
        { type: "message.read", data: { until: String(id), by: "them" } },
        { type: "message.edited", data: { id: String(id), chat: person("bob") } },
        { type: "message.deleted", data: { ids: [String(id)], chat: person("bob") } },
      ]);
      expect(fixture.calls("updates.getDifference")).toBe(0);
    }),
  );

  test("are no event when they arrive in a difference either", async () => {
    const { session, context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 1 });
    await people("send", { account: "alice", chat: "bob", text: "not pushed" });
    await fixture.fault({ kind: "delay", account: "alice", method: "messages.sendMessage", seconds: 0.2, times: 1 });
    const ids = await Promise.all([sendText(session, "bob", "one"), sendText(session, "carol", "two")]);
    await settled(context, "alice");
    await people("delete", { account: "alice", messageIds: ids });
    expect((await reported(context, 3)).map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: "message.new", data: { text: "not pushed" } },
      { type: "message.deleted", data: { ids: [String(ids[0])], chat: person("bob") } },
      { type: "message.deleted", data: { ids: [String(ids[1])], chat: person("carol") } },
    ]);
  });

  test("are no event in a difference if the account sent them to itself", async () => {
    const { session, context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 1 });
    await people("send", { account: "alice", chat: "bob", text: "not pushed" });
    await sendText(session, "alice", "note to self");
    await settled(context, "alice");
    await people("send", { account: "alice", chat: "bob", text: "and then" });
    expect(texts(await reported(context, 2))).toEqual(["not pushed", "and then"]);
  });
});

describe("a send whose response is lost", () => {
  test("is none when the next connection's difference contains it", async () => {
    const { session, context } = await atRest("alice");
    await session.connector.chats.findOrRefresh(session.connector.connected(), person("bob").id, new AbortController().signal);
    await fixture.fault({ kind: "lost-ack", account: "alice", method: "messages.sendMessage", times: 1 });
    await expect(sendText(session, "bob", "did it arrive?")).rejects.toThrow("connection");
    const id = account("alice").box.topOf(Number(person("bob").id))?.id;
    await context.connected();
    await settled(context, "alice");
    await people("delete", { account: "alice", messageId: id });
    expect((await reported(context, 1)).map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: "message.deleted", data: { ids: [String(id)], chat: person("bob") } },
    ]);
  });
});

describe("what was not pushed", () => {
  test("is fetched when a later update shows the gap", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 2 });
    for (const text of ["one", "two", "three"]) await people("send", { account: "alice", chat: "bob", text });
    expect(texts(await reported(context, 3))).toEqual(["one", "two", "three"]);
  });

  test("is fetched when no later update shows it", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 1 });
    await people("send", { account: "alice", chat: "bob", text: "the last for today" });
    expect(texts(await reported(context, 1))).toEqual(["the last for today"]);
  });

  test("is fetched when the platform says that it is too much to push", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 1 });
    await people("send", { account: "alice", chat: "bob", text: "one" });
    push("alice", new Api.UpdatesTooLong());
    expect(texts(await reported(context, 1))).toEqual(["one"]);
  });

  test("is fetched while pushes stay away, and pushes serve again afterwards", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", seconds: 60 });
    for (const text of ["one", "two"]) await people("send", { account: "alice", chat: "bob", text });
    expect(texts(await reported(context, 2))).toEqual(["one", "two"]);
    fixture.sandbox.telegram.control.clearFaults();
    fixture.resetCalls();
    await people("send", { account: "alice", chat: "bob", text: "three" });
    expect(texts(await reported(context, 3))).toEqual(["one", "two", "three"]);
    expect(fixture.calls("updates.getDifference")).toBe(0);
  });

  test(
    "reorders updates that were pushed out of order, without a request",
    unhurried(async () => {
      const { context } = await atRest("alice");
      fixture.resetCalls();
      await reordered("alice", async () => {
        for (const text of ["one", "two", "three", "four"]) await people("send", { account: "alice", chat: "bob", text });
      });
      expect(texts(await reported(context, 4))).toEqual(["one", "two", "three", "four"]);
      expect(fixture.calls("updates.getDifference")).toBe(0);
    }),
  );

  test("comes once when it was pushed twice", async () => {
    const { context } = await atRest("alice");
    const restore = rewire("alice", (pushOn) => (update) => {
      pushOn(update);
      pushOn(update);
    });
    for (const text of ["one", "two"]) await people("send", { account: "alice", chat: "bob", text });
    restore();
    await people("send", { account: "alice", chat: "bob", text: "three" });
    expect(texts(await reported(context, 3))).toEqual(["one", "two", "three"]);
    expect(texts(context.storage.updates?.events ?? [])).toEqual(["one", "two", "three"]);
  });

  test("retries the difference after a flood wait and after silence", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 1 });
    await fixture.fault({ kind: "flood-wait", method: "updates.getDifference", account: "alice", seconds: 1, times: 1 });
    await fixture.fault({ kind: "error", error: "500 INTERNAL", method: "updates.getDifference", account: "alice", times: 1 });
    await people("send", { account: "alice", chat: "bob", text: "one" });
    await people("send", { account: "alice", chat: "bob", text: "two" });
    expect(texts(await reported(context, 2))).toEqual(["one", "two"]);
    expect(context.history).not.toContain("connection-lost");
  });
});

test("retries each refused difference soon, however many were refused before", { timeout: 120_000 }, async () => {
  // If the pause did not shrink after the platform recovered, it would outlast the test.
  const slow = await TelegramFixture.start({ gapMs: 100, backoffMinMs: 500, backoffMaxMs: 3_600_000 });
  try {
    const { context } = await slow.login("alice");
    const expected: string[] = [];
    for (let round = 1; round <= 12; round++) {
      await slow.fault({
        kind: "error",
        error: "400 PERSISTENT_TIMESTAMP_INVALID",
        method: "updates.getDifference",
        account: "alice",
        times: 1,
      });
      await slow.fault({ kind: "updates-too-long", account: "alice", times: 1 });
      expected.push(`round ${round}`);
      await people("send", { account: "alice", chat: "bob", text: `round ${round}` }, slow);
      await reported(context, round);
    }
    expect(texts(context.storage.updates?.events ?? [])).toEqual(expected);
  } finally {
    await slow.stop();
  }
});

describe("events while no owner was connected", () => {
  test("reports missed events after a reconnect, in order, in several pages", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "refuse", seconds: 60 });
    await fixture.fault({ kind: "drop", account: "alice" });
    await context.until(({ kind }) => kind === "disconnected");
    const expected = [];
    for (let i = 0; i < 250; i++) {
      expected.push(`message ${i}`);
      await people("send", { account: "alice", chat: i % 2 === 0 ? "bob" : "carol", text: `message ${i}` });
    }
    fixture.resetCalls();
    fixture.sandbox.telegram.control.clearFaults();
    await context.connected();
    expect(texts(await reported(context, 250))).toEqual(expected);
    expect(fixture.calls("updates.getDifference")).toBeGreaterThanOrEqual(3);
  });

  test("reports missed events with the next owner: messages, edits, deletions and reads", async () => {
    const { context } = await fixture.login("alice");
    const before = await people("send", { account: "alice", chat: "bob", text: "before" });
    await reported(context, 1);
    await fixture.closeSessions();
    const sent = await people("send", { account: "alice", chat: "carol", text: "away", out: true });
    const edited = await people("send", { account: "alice", chat: "bob", text: "away too" });
    await people("edit", { account: "alice", messageId: edited["messageId"], text: "away two" });
    await people("read", { account: "alice", chat: "carol", messageId: sent["messageId"] });
    await people("delete", { account: "alice", messageId: before["messageId"] });
    const next = fixture.open(context.storage);
    const events = await reported(next.context, 6);
    expect(events.slice(1).map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: "message.new", data: { text: "away", fromMe: true, chat: person("carol") } },
      { type: "message.new", data: { text: "away two", chat: person("bob") } },
      { type: "message.edited", data: { text: "away two" } },
      { type: "message.read", data: { until: sent["messageId"], by: "them" } },
      { type: "message.deleted", data: { ids: [before["messageId"]], chat: person("bob") } },
    ]);
  });

  test("has the ids that it would have had when pushed", async () => {
    const { context } = await atRest("alice");
    const cursor = context.storage.updates?.cursor;
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "one" });
    await people("edit", { account: "alice", messageId, text: "two" });
    await people("read", { account: "alice", chat: "bob", messageId, inbox: true });
    const other = await people("send", { account: "alice", chat: "bob", text: "gone soon" });
    await people("delete", { account: "alice", messageId: other["messageId"] });
    const pushed = await reported(context, 5);
    await fixture.closeSessions();
    const chats = new Map(context.storage.updates?.chats);
    const storage: Storage = { ...context.storage, updates: { cursor, events: [], chats, edits: new Map() } };
    const fetched = await reported(fixture.open(storage).context, 4);
    const ids = new Set(pushed.map(({ id }) => id));
    expect(fetched.map(({ type }) => type)).toEqual(["message.new", "message.edited", "message.read", "message.deleted"]);
    expect(fetched.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  test.each([
    ["after others", (name: string) => atRest(name)],
    ["right after the login", (name: string) => fixture.login(name)],
  ])("reads missed events from the chats when the platform has discarded the difference, %s", async (_, begin) => {
    await people("send", { account: "kenji", chat: "bob", text: "before the login" });
    // The platform's times are whole seconds, and only the time of the login is known.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { context } = await begin("kenji");
    await settled(context, "kenji");
    await fixture.closeSessions();
    const expected = [];
    for (let i = 0; i < 120; i++) {
      expected.push(`message ${i}`);
      await people("send", { account: "kenji", chat: ["bob", "carol", "carol"][i % 3], text: `message ${i}`, out: i % 7 === 0 });
    }
    const group = [...account("kenji").chats].find((id) => id < 0 && id > -1_000_000_000_000);
    await people("send", { account: "kenji", chat: String(group), text: "to all" });
    account("kenji").box.log.splice(0);
    const next = fixture.open(context.storage);
    expect(texts(await reported(next.context, 120))).toEqual(expected);
    await settled(next.context, "kenji");
    await people("send", { account: "kenji", chat: "bob", text: "pushed again" });
    expect(texts(await reported(next.context, 121))).toEqual([...expected, "pushed again"]);
  });

  test("reads missed events from archived chats too when the platform has discarded the difference", async () => {
    const { context } = await atRest("kenji");
    const { archived } = account("kenji");
    archived.add(account("carol").userId);
    try {
      await fixture.closeSessions();
      for (const [at, chat] of ["bob", "carol", "bob"].entries()) await people("send", { account: "kenji", chat, text: `message ${at}` });
      account("kenji").box.log.splice(0);
      const next = fixture.open(context.storage);
      expect(texts(await reported(next.context, 3))).toEqual(["message 0", "message 1", "message 2"]);
    } finally {
      archived.delete(account("carol").userId);
    }
  });

  test("is not lost either when the platform says once that it is too much", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "gap", account: "alice", times: 2 });
    await fixture.fault({ kind: "difference-too-long", account: "alice", times: 1 });
    for (const text of ["one", "two", "three"]) await people("send", { account: "alice", chat: "bob", text });
    expect(texts(await reported(context, 3))).toEqual(["one", "two", "three"]);
  });

  test("reports edits in their current state when the platform has discarded the difference, and nothing else of reported messages", async () => {
    const { session, context } = await atRest("kenji");
    const write = async (chat: string, text: string): Promise<unknown> =>
      (await people("send", { account: "kenji", chat, text }))["messageId"];
    const [edited, reacted, deleted, typo] = [
      await write("bob", "edited"),
      await write("carol", "reacted"),
      await write("bob", "deleted"),
      await write("carol", "typo"),
    ];
    const own = await sendText(session, "bob", "from the gateway");
    await people("edit", { account: "kenji", messageId: typo, text: "no typo" });
    await settled(context, "kenji");
    await fixture.closeSessions();
    context.storage.updates?.events.splice(0);
    for (const text of ["once", "twice"]) await people("edit", { account: "kenji", messageId: edited, text });
    for (const messageId of [reacted, typo]) await people("edit", { account: "kenji", messageId, reaction: "👍" });
    await people("edit", { account: "kenji", messageId: own, text: "changed on the phone" });
    await people("delete", { account: "kenji", messageId: deleted });
    await write("bob", "new");
    account("kenji").box.log.splice(0);
    const next = fixture.open(context.storage);
    const expected = [
      { type: "message.new", data: { text: "new" } },
      { type: "message.edited", data: { id: String(edited), text: "twice", chat: person("bob") } },
      { type: "message.edited", data: { id: String(own), text: "changed on the phone", chat: person("bob") } },
    ];
    expect((await reported(next.context, 3)).map(({ type, data }) => ({ type, data }))).toMatchObject(expected);
    await settled(next.context, "kenji");
    await fixture.fault({ kind: "gap", account: "kenji", times: 1 });
    await fixture.fault({ kind: "difference-too-long", account: "kenji", times: 1 });
    await write("bob", "last");
    expect((await reported(next.context, 4)).map(({ type, data }) => ({ type, data }))).toMatchObject([
      ...expected,
      { type: "message.new", data: { text: "last" } },
    ]);
  });

  test("reports missed events when the same account logs in again, and none for another account", async () => {
    const { context } = await atRest("alice");
    await fixture.fault({ kind: "logout", account: "alice" });
    const qr = await context.qr();
    await people("send", { account: "alice", chat: "bob", text: "while logged out" });
    await fixture.scan("alice", qr);
    expect(texts(await reported(context, 1))).toEqual(["while logged out"]);
    await people("send", { account: "grace", chat: "bob", text: "before grace came" });
    await fixture.fault({ kind: "logout", account: "alice" });
    await fixture.scan("grace", await context.qr());
    await context.connected();
    await people("send", { account: "alice", chat: "bob", text: "no longer of interest" });
    await people("send", { account: "grace", chat: "bob", text: "for grace" });
    expect(texts(await reported(context, 2))).toEqual(["while logged out", "for grace"]);
    expect([...(context.storage.updates?.chats.values() ?? [])]).toEqual([person("bob").id]);
  });
});

test("reports exactly what happened, whatever the connection does", async () => {
  const { session, context } = await fixture.login("alice");
  await session.connector.chats.findOrRefresh(session.connector.connected(), person("bob").id, new AbortController().signal);
  const live: string[] = [];
  const kinds = ["gap", "reorder", "duplicate", "updates-too-long", "drop", "none", "none"];
  const { happenings } = fixture.sandbox.telegram.world;
  const since = happenings.list("alice").length;
  for (let i = 0; i < 150; i++) {
    const kind = kinds[i % kinds.length];
    if (kind !== undefined && kind !== "none" && (kind !== "drop" || i % 5 === 0))
      await fixture.fault({ kind, account: "alice", ...(kind !== "drop" && { times: 1 }) });
    const chat = ["bob", "carol", "judy"][i % 3];
    const message = live[i % Math.max(1, live.length)];
    if (i % 4 === 1 && message !== undefined) await people("edit", { account: "alice", messageId: message, text: `edit ${i}` });
    else if (i % 8 === 6 && message !== undefined) {
      live.splice(live.indexOf(message), 1);
      await people("delete", { account: "alice", messageId: message });
    } else if (i % 8 === 3 && message !== undefined) await people("read", { account: "alice", chat, inbox: i % 16 === 3 });
    else live.push(String((await people("send", { account: "alice", chat, text: `message ${i}`, out: i % 10 === 0 }))["messageId"]));
    if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 10 + ((i * 37) % 60)));
  }
  fixture.sandbox.telegram.control.clearFaults();
  await context.connected();
  await settled(context, "alice");
  const events = context.storage.updates?.events ?? [];
  const happened = happenings.list("alice").slice(since);
  const deleted = new Set(happened.flatMap((one) => (one.kind === "deleted" ? one.messageIds : [])));
  // A difference shows the current state of messages: a deleted message produces no event, and several edits in a row produce one.
  const reportedIds = (type: string): string[] => events.flatMap((event) => (event.type === type ? [String(dataOf(event)["id"])] : []));
  const isNew = (id: string): boolean => happened.some((one) => one.kind === "new" && one.messageId === id);
  expect(new Set(reportedIds("message.new")).size).toBe(reportedIds("message.new").length);
  expect(reportedIds("message.new").filter((id) => !isNew(id))).toEqual([]);
  const kept = happened.flatMap((one) => (one.kind === "new" && !deleted.has(one.messageId) ? [one.messageId] : []));
  expect(reportedIds("message.new").filter((id) => !deleted.has(id))).toEqual(kept);
  const last = new Map<string, unknown>();
  for (const event of events)
    if (event.type === "message.new" || event.type === "message.edited") last.set(String(dataOf(event)["id"]), dataOf(event)["text"]);
  for (const id of kept)
    expect(last.get(id), `text of ${id}`).toBe(
      happened.findLast((one) => (one.kind === "new" || one.kind === "edited") && one.messageId === id && "text" in one)?.["text" as never],
    );
  const reportedDeleted = events.flatMap((event) => (event.type === "message.deleted" ? (dataOf(event)["ids"] as string[]) : []));
  expect(reportedDeleted.length).toBe(new Set(reportedDeleted).size);
  expect([...deleted].filter((id) => reportedIds("message.new").includes(id) && !reportedDeleted.includes(id))).toEqual([]);
  const reads = (list: readonly { chat: string; until: string; by: string }[]): string[] =>
    list.map(({ chat, until, by }) => `${chat} ${until} ${by}`);
  expect(
    reads(
      events.flatMap((event) =>
        event.type === "message.read"
          ? [{ ...(event.data as { until: string; by: string }), chat: (event.data as { chat: { id: string } }).chat.id }]
          : [],
      ),
    ),
  ).toEqual(reads(happened.flatMap((one) => (one.kind === "read" ? [one] : []))));
});

test("a store that is away for a while costs nothing: what comes meanwhile goes in one step", async () => {
  const { context } = await atRest("alice");
  const { advance } = context.updates;
  let away = true;
  const sizes: number[] = [];
  Object.assign(context.updates, {
    advance: async (step: Parameters<typeof advance>[0]) => {
      if (away) throw new Error("redis is away");
      sizes.push(step.events.length);
      await advance(step);
    },
  });
  for (let i = 0; i < 20; i++) await people("send", { account: "alice", chat: "bob", text: String(i) });
  away = false;
  expect(texts(await reported(context, 20))).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  expect(sizes.length).toBeLessThan(5);
});

describe("while the receiver wants no events", () => {
  test("one write stores many messages, and the chat of each is known later", async () => {
    const { session, context } = await atRest("alice");
    const sizes = countSteps(context);
    context.requested = new Set();
    const ids: unknown[] = [];
    for (let i = 0; i < 20; i++) ids.push((await people("send", { account: "alice", chat: "bob", text: String(i) }))["messageId"]);
    await eventually("all updates are stored", async () => {
      await session.connector.updatesStored(new AbortController().signal);
      return parseCursor(context.storage.updates?.cursor ?? "")?.pts === account("alice").box.pts;
    });
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20);
    expect([sizes.length < 10, context.storage.updates?.events]).toEqual([true, []]);
    context.requested = new Set(defaultEventTypes);
    await people("delete", { account: "alice", messageIds: [ids[7]] });
    const [event] = await reported(context, 1);
    expect([event?.type, dataOf(event)]).toEqual(["message.deleted", { chat: person("bob"), ids: [ids[7]] }]);
  });

  test("an edit is known later, so that one back to the text before it is reported", async () => {
    const { context } = await atRest("alice");
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "A" });
    await people("edit", { account: "alice", messageId, text: "B" });
    await reported(context, 2);
    context.requested = new Set();
    await people("edit", { account: "alice", messageId, text: "C" });
    await settled(context, "alice");
    context.requested = new Set(defaultEventTypes);
    await people("edit", { account: "alice", messageId, text: "B" });
    // The store drops the event of C, because the webhook is off. The fixture's has no webhook.
    expect(texts(await reported(context, 4))).toEqual(["A", "B", "C", "B"]);
  });

  test("the position is stored some time after it moved", { timeout: 30_000 }, async () => {
    const { context } = await atRest("alice");
    context.requested = new Set();
    await people("send", { account: "alice", chat: "bob", text: "nobody waits for this" });
    await settled(context, "alice");
  });

  test("a message that was not stored yet comes again after a restart, and is stored then", async () => {
    const { context } = await atRest("alice");
    context.requested = new Set();
    const before = context.storage.updates?.cursor;
    const { messageId } = await people("send", { account: "alice", chat: "bob", text: "as the process ends" });
    await fixture.closeSessions();
    expect(context.storage.updates?.cursor).toBe(before);
    const next = fixture.open(context.storage);
    await settled(next.context, "alice");
    expect(context.storage.updates?.chats.get(String(messageId))).toBe(person("bob").id);
  });
});

test("more than the queue takes is fetched instead", async () => {
  const { context } = await fixture.login("judy");
  await settled(context, "judy");
  const { advance } = context.updates;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  Object.assign(context.updates, { advance: (step: Parameters<typeof advance>[0]) => held.then(() => advance(step)) });
  const { delivery } = fixture.sandbox.telegram;
  const count = 2_500;
  const judy = account("judy");
  for (let i = 0; i < count; i++) {
    delivery.receive(judy, Number(person("bob").id), Number(person("bob").id), { text: String(i) });
    // The sandbox and the session share this process, so the sockets need a turn.
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // Only lets more updates queue up than the inbox holds. The assertions hold for any number.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  release();
  expect(texts(await reported(context, count))).toEqual(Array.from({ length: count }, (_, i) => String(i)));
});

/** Runs with sessions that wait for ever before they fetch missing updates, and do not check for gaps on their own. */
function unhurried(run: () => Promise<void>): () => Promise<void> {
  return async () => {
    const common = fixture;
    fixture = await TelegramFixture.start({ pingMinMs: 600_000, pingMaxMs: 600_000, gapMs: 600_000 });
    try {
      await run();
    } finally {
      await fixture.stop();
      fixture = common;
    }
  };
}

async function people(action: string, body: Record<string, unknown>, { sandbox } = fixture): Promise<Record<string, unknown>> {
  const response = await fetch(`${sandbox.controlUrl}/people/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", ...body }),
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

function texts(events: readonly UpdateEvent[]): unknown[] {
  return events.map((event) => dataOf(event)["text"]);
}

function account(name: string): ReturnType<typeof fixture.sandbox.telegram.world.opened> {
  const found = fixture.sandbox.telegram.world.accounts.get(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return fixture.sandbox.telegram.world.opened(found);
}

/** Returns a person of the sandbox as events show it: phone numbers of contacts are known, and everyone has a photo. */
function person(name: string): { id: string; name: string; username: string; phone: string; thumbnail: string } {
  const { person: one } = account(name);
  return {
    id: String(one.id),
    name: [one.firstName, one.lastName].filter(Boolean).join(" "),
    username: one.username ?? "",
    phone: one.phone ?? "",
    thumbnail: expect.stringMatching(new RegExp(`/${one.id}/\\d+/profile/signature\\.jpg$`)) as string,
  };
}

/** Opens a session that has met bob and has stored all of its updates and events. */
async function atRest(name: string): Promise<{ session: Session<TelegramConnector>; context: TestContext }> {
  const opened = await fixture.login(name);
  await people("send", { account: name, chat: "bob", text: "first" });
  await reported(opened.context, 1);
  await settled(opened.context, name);
  opened.context.storage.updates?.events.splice(0);
  return opened;
}

/** Returns the number of messages in each further step of the update log. */
function countSteps({ updates }: TestContext): number[] {
  const { advance } = updates;
  const sizes: number[] = [];
  Object.assign(updates, {
    advance: async (step: Parameters<typeof advance>[0]) => {
      sizes.push(step.messages.size);
      await advance(step);
    },
  });
  return sizes;
}

/** Waits until everything that the platform has logged for the account is stored. */
async function settled(context: TestContext, name: string): Promise<void> {
  await eventually("all updates are stored", () => parseCursor(context.storage.updates?.cursor ?? "")?.pts === account(name).box.pts);
}

async function sendText(session: Session<TelegramConnector>, to: string, text: string): Promise<number> {
  const peer = await session.connector.chats.findOrRefresh(session.connector.connected(), person(to).id, new AbortController().signal);
  if (peer === undefined) throw new Error(`${to} was not met`);
  const response = await session.connector.connected().invoke(
    new Api.messages.SendMessage({
      peer: new Api.InputPeerUser({ userId: bigInt(peer.id), accessHash: bigInt(peer.accessHash) }),
      message: text,
    }),
    { signal: new AbortController().signal },
  );
  if (!(response instanceof Api.UpdateShortSentMessage)) throw new Error("not answered in the short form");
  return response.id;
}

/** Pushes an update to all devices of an account. */
function push(name: string, update: Api.TypeUpdates): void {
  fixture.sandbox.telegram.world.devices.push(name, update);
}

/** Changes what the devices of an account receive. The returned function undoes it. */
function rewire(name: string, change: (pushOn: (update: Api.TypeUpdates) => void) => (update: Api.TypeUpdates) => void): () => void {
  const undo: (() => void)[] = [];
  for (const key of fixture.sandbox.telegram.world.devices.keysOf(name)) {
    for (const connection of key.connections) {
      const original = connection.push;
      connection.push = change(original.bind(connection));
      undo.push(() => (connection.push = original));
    }
  }
  return () => undo.forEach((one) => one());
}

/** Delivers the pushes during `happen` in reverse order. */
async function reordered(name: string, happen: () => Promise<void>): Promise<void> {
  const held: (() => void)[] = [];
  const restore = rewire(name, (pushOn) => (update) => void held.push(() => pushOn(update)));
  await happen();
  restore();
  for (const release of held.reverse()) release();
}
