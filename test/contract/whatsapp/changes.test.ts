import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSessionId } from "../../../shared/contract/ids.js";
import { keys } from "../../../shared/redis/keys.js";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { WebhookReceiver } from "../../harness/webhook-receiver.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";
import type { ReceivedMessage } from "../../sandbox/whatsapp/world/received.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";

/** Calls about one message of variant A, as the phones of the chat see them after decryption. */
let gateway: TestCluster;
let platform: WhatsAppSide;
let alice: Caller;
let bob: Caller;
let receiver: WebhookReceiver;
const phones = { alice: "", bob: "" };
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
  receiver = await WebhookReceiver.start();
  alice = await loggedIn(gateway, "alice", "whatsapp");
  bob = await loggedIn(gateway, "bob", "whatsapp");
  const events = ["message.new", "message.read", "message.edited", "message.deleted", "message.reaction"];
  expect((await bob.send("PUT", "/session/webhook", { url: receiver.url, token: "t", events })).status).toBe(200);
  Object.assign(phones, { alice: await platform.phoneOf("alice"), bob: await platform.phoneOf("bob") });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

const error = (status: number, message: string): object => ({ status, body: { statusCode: status, message } });

/** Returns the id of a message that Bob wrote to alice, by default in their private chat. */
async function fromBob(chat = "bob"): Promise<string> {
  const { body } = await platform.post("/people/send", { account: "alice", chat, from: "bob", text: "Hello" });
  return (body as { messageId: string }).messageId;
}

async function fromAlice(to: object): Promise<string> {
  const { body } = await alice.send("POST", "/message", { ...to, type: "text", text: "Hello" });
  return (body as { messageId: string }).messageId;
}

/** Returns what the phones show of the newest change. */
async function newest(kind: string): Promise<ReceivedMessage | undefined> {
  const row = (await platform.received("alice", "message")).findLast((one) => one.kind === kind);
  expect(row?.failures ?? []).toEqual([]);
  return row;
}

async function eventOf(type: string, messageId: string): Promise<object> {
  return await eventually(type, () => {
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> });
    return bodies.findLast(({ type: one, data }) => one === type && JSON.stringify(data).includes(messageId))?.data;
  });
}

describe("POST /message/reaction", () => {
  const react = (to: object, messageId: string, emoji: string): Promise<ApiResponse> =>
    alice.send("POST", "/message/reaction", { ...to, messageId, emoji });

  it("to the other person's message: shown, exchanged, and removed", async () => {
    const messageId = await fromBob();
    for (const emoji of ["👍", "❤️", ""]) {
      expect(await react({ phone: phones.bob }, messageId, emoji)).toMatchObject({ status: 200, body: { messageId } });
      const row = await newest("reaction");
      expect(row).toMatchObject({ chat: `${phones.bob}@s.whatsapp.net`, text: emoji, audience: [phones.bob] });
      expect(row?.target).toEqual({ id: messageId, author: phones.bob });
      // Without its attribute, the server would notify people of a reaction that was taken back.
      expect(row?.edit).toBe(emoji === "" ? "7" : undefined);
    }
  });

  it("to the session's own message: the other person's webhook names it", async () => {
    const messageId = await fromAlice({ phone: phones.bob });
    expect(await react({ phone: phones.bob }, messageId, "🔥")).toMatchObject({ status: 200, body: { messageId } });
    expect((await newest("reaction"))?.target).toEqual({ id: messageId, author: phones.alice });
    expect(await eventOf("message.reaction", messageId)).toMatchObject({ messageId, emoji: "🔥", fromMe: false });
  });

  it("to the account's own message from its phone, whose author the caller names", async () => {
    const { body } = await platform.post("/people/send", { account: "alice", chat: "bob", out: true, text: "Mine" });
    const { messageId } = body as { messageId: string };
    await react({ phone: phones.bob, author: `${phones.alice}@s.whatsapp.net` }, messageId, "👍");
    expect((await newest("reaction"))?.target).toEqual({ id: messageId, author: phones.alice });
  });

  it("in a group: needs the author, unless this session sent the message", async () => {
    const group = sharedGroups.family;
    const messageId = await fromBob(group);
    expect(await react({ group }, messageId, "👍")).toMatchObject(
      error(400, "author should not be empty in a group, unless this session sent the message"),
    );
    expect(await react({ group, author: `${phones.bob}@s.whatsapp.net` }, messageId, "👍")).toMatchObject({ status: 200 });
    expect(await newest("reaction")).toMatchObject({ chat: group, recipient: "group", target: { id: messageId, author: phones.bob } });
    const own = await fromAlice({ group });
    expect(await react({ group }, own, "👍")).toMatchObject({ status: 200, body: { messageId: own } });
    expect((await newest("reaction"))?.target).toEqual({ id: own, author: phones.alice });
  });

  it("of a message that nobody has: the platform's server cannot tell, and phones show nothing", async () => {
    expect(await react({ phone: phones.bob }, "3EB0000000000000000000", "👍")).toMatchObject({ status: 200 });
    expect((await newest("reaction"))?.target).toMatchObject({ ignored: "no such message" });
  });

  it("to a post of a channel, by its number", async () => {
    const newsletter = sharedChannels.alice;
    const { docs } = (await alice.get(`/channel/message?channelId=${newsletter}`)).body as { docs: { id: string }[] };
    const messageId = docs[0]?.id ?? "";
    for (const emoji of ["👍", ""]) {
      expect(await react({ newsletter }, messageId, emoji)).toMatchObject({ status: 200, body: { messageId } });
      const row = (await platform.received("alice", "change")).at(-1);
      expect(row).toMatchObject({ chat: newsletter, kind: "reaction", serverId: Number(messageId), text: emoji });
    }
    for (const id of ["99999", "3EB0"]) expect(await react({ newsletter }, id, "👍")).toMatchObject(error(500, "message not found"));
  });

  it("that the platform refuses: 500 with its code and what it means", async () => {
    await platform.fault({ account: "alice", kind: "error", error: "403", method: "message" });
    expect(await react({ phone: phones.bob }, await fromBob(), "👍")).toMatchObject(error(500, "403: the account may not do this here"));
  });

  it("whose acknowledgement got lost is one reaction", async () => {
    const messageId = await fromBob();
    const before = (await platform.received("alice", "message")).length;
    await platform.fault({ account: "alice", kind: "lost-ack", method: "message" });
    expect(await react({ phone: phones.bob }, messageId, "👍")).toMatchObject({ status: 200 });
    expect((await platform.received("alice", "message")).length).toBe(before + 1);
  });
});

describe("POST /message/read", () => {
  const read = (body: object): Promise<ApiResponse> => alice.send("POST", "/message/read", body);
  const newestRead = async () => (await platform.received("alice", "read")).at(-1);

  it("of a person: the receipt names the chat and the message, and the author's webhook tells", async () => {
    const { body } = await bob.send("POST", "/message", { phone: phones.alice, type: "text", text: "Read me" });
    const { messageId } = body as { messageId: string };
    expect(await read({ phone: phones.bob, messageId })).toMatchObject({ status: 200, body: { id: alice.credentials.id } });
    expect(await newestRead()).toMatchObject({ chat: `${phones.bob}@s.whatsapp.net`, ids: [messageId] });
    expect(await eventOf("message.read", messageId)).toMatchObject({ by: "them" });
  });

  it("in a group: needs the author", async () => {
    const group = sharedGroups.family;
    const messageId = await fromBob(group);
    expect(await read({ group, messageId })).toMatchObject({ status: 400 });
    expect(await read({ group, messageId, author: `${phones.bob}@s.whatsapp.net` })).toMatchObject({ status: 200 });
    expect(await newestRead()).toMatchObject({ chat: group, ids: [messageId] });
  });

  it("of the account itself: done, without a receipt", async () => {
    const before = (await platform.received("alice", "read")).length;
    expect(await read({ phone: phones.bob, messageId: await fromAlice({ phone: phones.bob }) })).toMatchObject({ status: 200 });
    expect(await platform.received("alice", "read")).toHaveLength(before);
  });

  it("in a channel: one view", async () => {
    const newsletter = sharedChannels.alice;
    const posts = async (): Promise<{ id: string; views: number }[]> =>
      ((await alice.get(`/channel/message?channelId=${newsletter}`)).body as { docs: { id: string; views: number }[] }).docs;
    const post = (await posts()).at(-1);
    expect(await read({ newsletter, messageId: post?.id })).toMatchObject({ status: 200 });
    await eventually("the view", async () => (await posts()).some(({ id, views }) => id === post?.id && views === post.views + 1));
    expect(await read({ newsletter, messageId: "3EB0" })).toMatchObject(error(500, "message not found"));
  });
});

describe("an edit that a phone has encrypted", () => {
  it.each([
    ["by the other person", {}],
    ["by the account on its phone", { out: true }],
  ])("is read, and shown in the chat: %s", async (_, actor) => {
    const named = { account: "bob", chat: phones.alice, ...actor };
    const { messageId } = (await platform.post("/people/send", { ...named, text: "frist" })).body as { messageId: string };
    for (const text of ["first", "first!"]) {
      await platform.post("/people/edit", { ...named, messageId, text, encrypted: true });
      await eventually(text, async () => JSON.stringify(await eventOf("message.edited", messageId)).includes(`"${text}"`));
    }
    expect(await eventOf("message.edited", messageId)).toMatchObject({ id: messageId, type: "text", fromMe: "out" in actor });
    const { body } = await bob.get(`/chat/message?chat=${phones.alice}@s.whatsapp.net`);
    const [shown] = (body as { docs: object[] }).docs;
    expect(shown).toMatchObject({ id: messageId, text: "first!" });
    expect(shown).not.toHaveProperty("secret");
  });
});

describe("PATCH /message/{messageId}", () => {
  const edit = (messageId: string, body: object): Promise<ApiResponse> => alice.send("PATCH", `/message/${messageId}`, body);

  it("a text to a person: the new one is shown, also by a webhook", async () => {
    const messageId = await fromAlice({ phone: phones.bob });
    await eventOf("message.new", messageId);
    const text = " Grüße 👋 *b* https://example.com/ ";
    expect(await edit(messageId, { phone: phones.bob, text })).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest("edited")).toMatchObject({ chat: `${phones.bob}@s.whatsapp.net`, text, edit: "1", audience: [phones.bob] });
    expect((await newest("edited"))?.target).toEqual({ id: messageId, author: phones.alice });
    expect(await eventOf("message.edited", messageId)).toMatchObject({ id: messageId, text, type: "text" });
  });

  it.each([
    ["image", { url: "photo.jpg", mimetype: "image/jpeg" }],
    ["video", { url: "video.mp4", mimetype: "video/mp4", duration: 3 }],
    ["document", { url: "document.pdf", mimetype: "application/pdf", name: "a.pdf", size: 1_000 }],
  ] as const)("the caption of a %s: the file keeps its kind, and shows the new caption", async (type, { url, ...file }) => {
    const { body } = await alice.send("POST", "/message", {
      phone: phones.bob,
      type,
      text: "before",
      [type]: { ...file, url: platform.fileUrl(url) },
    });
    const { messageId } = body as { messageId: string };
    for (const text of ["after", "and again"]) {
      expect(await edit(messageId, { phone: phones.bob, text })).toMatchObject({ status: 200, body: { messageId } });
      const row = await newest("edited");
      expect([row?.text, row?.target]).toEqual([text, { id: messageId, author: phones.alice, file: type }]);
    }
    expect(await eventOf("message.edited", messageId)).toMatchObject({ id: messageId, type });
  });

  it.each([
    ["sticker", () => ({ image: { url: platform.fileUrl("sticker.webp"), mimetype: "image/webp" } })],
    ["voice", () => ({ audio: { url: platform.fileUrl("voice.ogg"), mimetype: "audio/ogg", duration: 1 } })],
    ["poll", () => ({ question: "When?", options: ["today", "tomorrow"] })],
  ])("a %s has nothing to edit", async (kind, body) => {
    const sent = await alice.send("POST", `/message/${kind}`, { phone: phones.bob, ...body() });
    expect(sent).toMatchObject({ status: 200 });
    const { messageId } = sent.body as { messageId: string };
    expect(await edit(messageId, { phone: phones.bob, text: "other" })).toEqual(
      expect.objectContaining(error(500, "only texts and captions can be edited")),
    );
  });

  it("a text to a group, and a post of a channel", async () => {
    const group = sharedGroups.family;
    const messageId = await fromAlice({ group });
    expect(await edit(messageId, { group, text: "new" })).toMatchObject({ status: 200, body: { messageId } });
    expect(await newest("edited")).toMatchObject({ chat: group, text: "new", target: { id: messageId, author: phones.alice } });
    const newsletter = sharedChannels.alice;
    const post = await fromAlice({ newsletter });
    expect(await edit(post, { newsletter, text: "new" })).toMatchObject({ status: 200, body: { messageId: post } });
    expect((await platform.received("alice", "change")).at(-1)).toMatchObject({ chat: newsletter, kind: "edited", text: "new" });
    expect(await edit("3EB0000000000000000000", { newsletter, text: "new" })).toMatchObject(error(500, "message not found"));
  });

  it("15 minutes after the message: 500, because phones would ignore it", async () => {
    const messageId = await fromAlice({ phone: phones.bob });
    const { id } = alice.credentials;
    if (!isSessionId(id)) throw new Error("no id of a session");
    await gateway.redis.client.zadd(keys.sentIndex(id), Date.now() - 15 * 60_000 - 1, messageId);
    expect(await edit(messageId, { phone: phones.bob, text: "late" })).toMatchObject(
      error(500, "message can only be edited for 15 minutes"),
    );
  });

  it("of the phone's own message: phones judge its age", async () => {
    for (const [age, ignored] of [
      [60, undefined],
      [1_500, "too late"],
    ] as const) {
      const { body } = await platform.post("/people/send", { account: "alice", chat: "bob", out: true, text: "Mine", age });
      const { messageId } = body as { messageId: string };
      expect(await edit(messageId, { phone: phones.bob, text: "new" })).toMatchObject({ status: 200 });
      expect((await newest("edited"))?.target?.ignored).toBe(ignored);
    }
  });
});

describe("DELETE /message/{messageId}", () => {
  const remove = (messageId: string, to: Record<string, string>, by = alice): Promise<ApiResponse> =>
    by.send("DELETE", `/message/${messageId}?${new URLSearchParams(to).toString()}`);

  it("the session's own message: gone for everybody, also by a webhook", async () => {
    const messageId = await fromAlice({ phone: phones.bob });
    await eventOf("message.new", messageId);
    expect(await remove(messageId, { phone: phones.bob })).toMatchObject({ status: 200, body: { messageId } });
    const row = await newest("deleted");
    expect(row).toMatchObject({ chat: `${phones.bob}@s.whatsapp.net`, edit: "7", audience: [phones.bob] });
    expect(row?.target).toEqual({ id: messageId, author: phones.alice });
    expect(await eventOf("message.deleted", messageId)).toMatchObject({ ids: [messageId] });
    // Nothing changes a deleted message.
    await alice.send("POST", "/message/reaction", { phone: phones.bob, messageId, emoji: "👍" });
    expect((await newest("reaction"))?.target).toMatchObject({ ignored: "no such message" });
  });

  it("another member's message in a group, by an administrator alone", async () => {
    const group = sharedGroups.family;
    const author = `${phones.alice}@s.whatsapp.net`;
    const messageId = await fromBob(group);
    expect(await remove(messageId, { group, author: `${phones.bob}@s.whatsapp.net` })).toMatchObject({ status: 200 });
    expect(await newest("deleted")).toMatchObject({ edit: "8", target: { id: messageId, author: phones.bob } });
    const own = await fromAlice({ group });
    const carol = await loggedIn(gateway, "carol", "whatsapp");
    expect(await remove(own, { group, author }, carol)).toMatchObject(error(500, "403: the account may not do this here"));
    expect(await remove(own, { group, author })).toMatchObject({ status: 200 });
    expect(await newest("deleted")).toMatchObject({ edit: "7", target: { id: own, author: phones.alice } });
  });

  it("another person's message of a private chat: 400", async () => {
    expect(await remove(await fromBob(), { phone: phones.bob, author: `${phones.bob}@s.whatsapp.net` })).toMatchObject(
      error(400, "only its author can delete a message of a private chat"),
    );
  });

  it("a post of a channel, by the id that it was sent with", async () => {
    const newsletter = sharedChannels.alice;
    const messageId = await fromAlice({ newsletter });
    expect(await remove(messageId, { newsletter })).toMatchObject({ status: 200, body: { messageId } });
    expect((await platform.received("alice", "change")).at(-1)).toMatchObject({ chat: newsletter, kind: "deleted" });
    for (const id of [messageId, "3EB0000000000000000000", "101"])
      expect(await remove(id, { newsletter })).toMatchObject(error(500, "message not found"));
  });
});
