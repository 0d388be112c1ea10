import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { TelegramSide } from "../../harness/telegram-side.js";

/** Calls about one message of variant B, as the platform and the other side of the chat see them. */
let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
const bob = { username: "bob_sandbox" };
beforeAll(async () => {
  gateway = await startCluster();
  platform = new TelegramSide(gateway);
  alice = await loggedIn(gateway, "alice");
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const error = (status: number, message: string): object => ({ status, body: { statusCode: status, message } });

/** Returns the id of a message that somebody wrote to alice, by default Bob. */
async function received(body: object = { chat: "bob" }): Promise<string> {
  const sent = await platform.post("/people/send", { account: "alice", text: "Hello", ...body });
  return (sent.body as { messageId: string }).messageId;
}

async function fromAlice(to: object): Promise<string> {
  const { body } = await alice.send("POST", "/message", { ...to, type: "text", text: "Hello" });
  return (body as { messageId: string }).messageId;
}

/** Returns what happened in Bob's private chats, oldest first. */
const ofBob = () => platform.docs("/history?platform=telegram&account=bob");

describe("POST /message/reaction", () => {
  const react = (to: object, messageId: string, emoji: string): Promise<ApiResponse> =>
    alice.send("POST", "/message/reaction", { ...to, messageId, emoji });
  const newest = async () => (await platform.received("alice", "reaction")).at(-1);

  it("to the other person's message: shown, exchanged, and removed", async () => {
    const messageId = await received();
    for (const emoji of ["👍", "❤️", ""]) {
      expect(await react(bob, messageId, emoji)).toMatchObject({ status: 200, body: { messageId } });
      expect(await newest()).toMatchObject({ id: messageId, emoji: emoji.replace("\ufe0f", "") });
      expect((await ofBob()).at(-1)).toMatchObject({ kind: "reacted" });
    }
  });

  it.each<[string, object]>([
    ["the account's own message", bob],
    ["a message of a basic group", { group: "-4000001" }],
    ["a message of a supergroup", { group: "-1001900000001" }],
    ["a message of a channel", { channel: "alice_news" }],
  ])("to %s; an author makes no difference", async (_, to) => {
    const messageId = await fromAlice(to);
    expect(await react({ ...to, author: "1" }, messageId, "👍")).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest()).toMatchObject({ id: messageId, emoji: "👍" });
  });

  it("that is there already is done", async () => {
    const messageId = await received();
    for (const emoji of ["👍", "👍", "", ""]) expect(await react(bob, messageId, emoji)).toMatchObject({ status: 200 });
  });

  it("to a message of another chat, or of none: 400 message not found", async () => {
    const messageId = await fromAlice({ group: "-4000001" });
    for (const id of [messageId, "999999"]) expect(await react(bob, id, "👍")).toMatchObject(error(400, "message not found"));
  });

  it("that the platform does not allow: 500 with its error", async () => {
    expect(await react(bob, await received(), "no emoji")).toMatchObject(
      error(500, "400: REACTION_INVALID (caused by messages.SendReaction)"),
    );
  });

  it("whose answer got lost is one reaction", async () => {
    const messageId = await received();
    await platform.fault({ account: "alice", kind: "lost-ack", method: "messages.sendReaction" });
    expect(await react(bob, messageId, "👍")).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest()).toMatchObject({ id: messageId, emoji: "👍" });
  });
});

describe("POST /message/read", () => {
  const read = (body: object): Promise<ApiResponse> => alice.send("POST", "/message/read", body);
  const newest = async () => (await platform.received("alice", "read")).at(-1);

  it("of a private chat: the other person sees it as read", async () => {
    const messageId = await received();
    for (let time = 0; time < 2; time++)
      expect(await read({ ...bob, messageId })).toMatchObject({ status: 200, body: { id: alice.credentials.id } });
    expect(await newest()).toMatchObject({ maxId: messageId });
    expect((await ofBob()).at(-1)).toMatchObject({ kind: "read", by: "them" });
  });

  it.each<[string, object]>([
    ["a basic group", { group: "-4000001" }],
    ["a supergroup", { group: "-1001900000001" }],
    ["a channel", { channel: "alice_news" }],
  ])("of %s", async (_, to) => {
    const messageId = await fromAlice(to);
    expect(await read({ ...to, messageId })).toMatchObject({ status: 200 });
    expect(await newest()).toMatchObject({ maxId: messageId });
  });

  it("of a chat that the account does not have: 400", async () => {
    expect(await read({ username: "nobody_has_this_name", messageId: "1" })).toMatchObject(error(400, "chat not found"));
    expect(await read({ channel: "sandbox_not_joined", messageId: "1" })).toMatchObject(error(400, "channel not found"));
  });
});

describe("PATCH /message/{messageId}", () => {
  const edit = (messageId: string, body: object): Promise<ApiResponse> => alice.send("PATCH", `/message/${messageId}`, body);
  const newest = async () => (await platform.received("alice", "edit")).at(-1);

  it.each<[string, object]>([
    ["a private chat", bob],
    ["a basic group", { group: "-4000001" }],
    ["a supergroup", { group: "-1001900000001" }],
    ["a channel", { channel: "alice_news" }],
  ])("a text of %s, with its format; the same text again is done", async (_, to) => {
    const messageId = await fromAlice(to);
    for (let time = 0; time < 2; time++) {
      const body = { ...to, text: "**Sale** until nine", parseMode: "markdown" };
      expect(await edit(messageId, body)).toMatchObject({ status: 200, body: { messageId } });
    }
    expect(await newest()).toMatchObject({ id: messageId, text: "Sale until nine", entities: [{ type: "bold", offset: 0, length: 4 }] });
  });

  it("is shown to the other side", async () => {
    await edit(await fromAlice(bob), { ...bob, text: " as it is **written** " });
    expect((await ofBob()).at(-1)).toMatchObject({ kind: "edited", text: " as it is **written** " });
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ["a message of another person", () => received(), 500, "403: MESSAGE_AUTHOR_REQUIRED (caused by messages.EditMessage)"],
    [
      "a message of three days ago",
      () => received({ chat: "bob", out: true, age: 3 * 86_400 }),
      500,
      "400: MESSAGE_EDIT_TIME_EXPIRED (caused by messages.EditMessage)",
    ],
    ["a message of another chat", () => fromAlice({ group: "-4000001" }), 400, "message not found"],
    ["no message", async () => "999999", 400, "message not found"],
  ])("%s: refused", async (_, find, status, message) => {
    expect(await edit(await find(), { ...bob, text: "new" })).toMatchObject(error(status, message));
  });

  it("marks around nothing: 400", async () => {
    const body = { ...bob, text: "<i>\u3164</i>\n", parseMode: "html" };
    expect(await edit(await fromAlice(bob), body)).toMatchObject(error(400, "text should not be empty"));
  });

  it("whose answer got lost is a success", async () => {
    const messageId = await fromAlice(bob);
    await platform.fault({ account: "alice", kind: "lost-ack", method: "messages.editMessage" });
    expect(await edit(messageId, { ...bob, text: "new" })).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest()).toMatchObject({ id: messageId, text: "new" });
  });
});

describe("DELETE /message/{messageId}", () => {
  const remove = (messageId: string, to: Record<string, string>): Promise<ApiResponse> =>
    alice.send("DELETE", `/message/${messageId}?${new URLSearchParams(to).toString()}`);
  const newest = async () => (await platform.received("alice", "delete")).at(-1);

  it.each<[string, Record<string, string>]>([
    ["a private chat", bob],
    ["a basic group", { group: "-4000001" }],
    ["a supergroup", { group: "-1001900000001" }],
    ["a channel", { channel: "alice_news" }],
  ])("the account's own message of %s", async (_, to) => {
    const messageId = await fromAlice(to);
    expect(await remove(messageId, to)).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest()).toMatchObject({ ids: [messageId] });
    expect(await remove(messageId, to)).toMatchObject(error(400, "message not found"));
  });

  it("is gone for the other side, whoever wrote it", async () => {
    for (const messageId of [await fromAlice(bob), await received()]) {
      expect(await remove(messageId, bob)).toMatchObject({ status: 200 });
      expect((await ofBob()).at(-1)).toMatchObject({ kind: "deleted" });
    }
  });

  it("a message of another chat is left alone: 400", async () => {
    const messageId = await fromAlice({ group: "-4000001" });
    expect(await remove(messageId, bob)).toMatchObject(error(400, "message not found"));
    expect(await remove(messageId, { group: "-4000001" })).toMatchObject({ status: 200 });
  });

  it("that the account may not delete: 500 with the platform's error", async () => {
    const { docs } = (await alice.get("/channel/message?channelId=sandbox_daily")).body as { docs: { id: string }[] };
    expect(await remove(docs[0]?.id ?? "", { channel: "sandbox_daily" })).toMatchObject(
      error(500, "403: MESSAGE_DELETE_FORBIDDEN (caused by channels.DeleteMessages)"),
    );
  });

  it("whose answer got lost is a success", async () => {
    const messageId = await fromAlice(bob);
    await platform.fault({ account: "alice", kind: "lost-ack", method: "messages.deleteMessages" });
    expect(await remove(messageId, bob)).toMatchObject({ status: 200, body: { messageId } });
  });
});
