/**
 * A conversation between a gateway account and a person on unmodified mtcute, which uses a later layer than GramJS and orders its updates
 * differently.
 */
import { InputMedia, type Message, type Story, type TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/telegram/message.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";
import type { TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let context: TestContext;
let bob: TelegramClient;
let aliceId: number;
/** Everything that Bob's client received. */
const seen = { messages: [] as Message[], typing: [] as string[], stories: [] as Story[] };

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice, context } = await fixture.login("alice"));
  bob = await bobsClient();
  aliceId = (await bob.getUser("alice_sandbox")).id;
});
afterAll(async () => {
  await bob.destroy();
  await fixture.stop();
});

const toBob: Recipient = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } };
const toGroup: Recipient = { kind: "group", chat: { kind: "id", id: String(-sharedChats.familyGroup) } };
const file = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;
const bytesOf = async (name: string): Promise<Buffer> => Buffer.from(await (await fetch(file(name))).arrayBuffer());

/** Returns the message that Bob's client received from the gateway. */
async function sent(input: MessageInput): Promise<Message> {
  const before = seen.messages.length;
  await fixture.run(alice, "send-message", input);
  return await eventually("the message", () => seen.messages.slice(before).find(({ sender }) => sender.id === aliceId));
}

/** Waits for the gateway's event with this type and these fields. */
async function reported(type: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const isIt = (event: UpdateEvent): boolean => {
    const data: Record<string, unknown> = Object(event.data);
    return event.type === type && Object.entries(fields).every(([name, value]) => data[name] === value);
  };
  const event = await eventually(`${type} ${JSON.stringify(fields)}`, () => context.storage.updates?.events.find(isIt));
  return Object(event.data);
}

/** Checks that the file of a received message is served unchanged. */
async function carries({ id, chat, type, size, url }: Record<string, unknown>, bytes: Buffer): Promise<void> {
  expect(url).not.toBe("");
  expect(size).toBe(bytes.length);
  const address = { chatId: String(Object(chat)["id"]), messageId: String(id), variant: type === "image" ? "photo" : "file" } as const;
  const { fileKey, etag } = await fixture.run(alice, "describe-media", address);
  await fixture.run(alice, "read-chunk", { ...address, fileKey, etag, chunk: 0 });
  expect(fixture.chunks.get(`${fileKey}:0`)?.equals(bytes)).toBe(true);
}

describe("what the account sends", () => {
  test("a text", async () => {
    expect(await sent({ to: toBob, type: "text", text: "**bold** 🌸", parseMode: "markdown" })).toMatchObject({
      text: "bold 🌸",
      entities: [expect.objectContaining({ kind: "bold", offset: 0, length: 4 })],
    });
  });

  test.each<[string, string, (url: string) => Omit<MessageInput, "to">]>([
    [
      "document",
      "document.pdf",
      (url) => ({ type: "document", text: "", document: { url, name: "a.pdf", size: 1, mimetype: "application/pdf" } }),
    ],
    ["video", "video.mp4", (url) => ({ type: "video", text: "film", video: { url, mimetype: "video/mp4", duration: 3 } })],
    ["audio", "audio.mp3", (url) => ({ type: "audio", audio: { url, mimetype: "audio/mpeg", duration: 3 } })],
    ["photo", "photo.jpg", (url) => ({ type: "image", text: "picture", image: { url, mimetype: "image/jpeg" } })],
  ])("a %s, with equal bytes", async (kind, name, content) => {
    const { media } = await sent({ to: toBob, ...content(file(name)) } as MessageInput);
    expect(media?.type).toBe(kind);
    if (media?.type !== "document" && media?.type !== "video" && media?.type !== "audio" && media?.type !== "photo") throw new Error(kind);
    expect(Buffer.from(await bob.downloadAsBuffer(media)).equals(await bytesOf(name))).toBe(true);
  });

  test("a place and a contact", async () => {
    const { media: place } = await sent({ to: toBob, type: "location", location: { latitude: 51.5, longitude: -0.125 } });
    if (place?.type !== "location") throw new Error("no place");
    expect(place.latitude).toBeCloseTo(51.5, 4);
    const { media: card } = await sent({ to: toBob, type: "contact", contact: { name: "Carol", phone: "15550100003" } });
    if (card?.type !== "contact") throw new Error("no contact");
    expect([card.firstName, card.phoneNumber]).toEqual(["Carol", "+15550100003"]);
  });

  test("to a group of both", async () => {
    expect(await sent({ to: toGroup, type: "text", text: "all of you" })).toMatchObject({ text: "all of you", chat: { type: "chat" } });
  });

  test("that it is typing", async () => {
    await fixture.run(alice, "send-typing", { to: toBob, type: "text" });
    await eventually("typing", () => seen.typing.includes("typing"));
  });

  test("a story, which its contacts see", async () => {
    const { statusId } = await fixture.run(alice, "post-status", { type: "text", text: "Open until six", privacy: "contacts" });
    const story = await eventually("the story", () => seen.stories.find(({ id }) => String(id) === statusId));
    expect(story.media.type).toBe("photo");
    expect((await bob.getPeerStories(aliceId)).stories.map(({ id }) => String(id))).toContain(statusId);
  });
});

describe("what the other side does", () => {
  test("a text, its edit, and its deletion", async () => {
    const { id } = await bob.sendText(aliceId, "from mtcute");
    const { id: messageId, chat } = await reported("message.new", { text: "from mtcute" });
    expect(chat).toMatchObject({ username: "bob_sandbox" });
    await bob.editMessage({ chatId: aliceId, message: id, text: "edited" });
    await reported("message.edited", { id: messageId, text: "edited" });
    await bob.deleteMessagesById(aliceId, [id], { revoke: true });
    const { ids } = await reported("message.deleted", {});
    expect(ids).toEqual([messageId]);
  });

  test.each([
    ["document", "document.pdf", (bytes: Buffer) => InputMedia.document(bytes, { fileName: "b.pdf", caption: "as document" })],
    ["video", "video.mp4", (bytes: Buffer) => InputMedia.video(bytes, { caption: "as video" })],
    ["audio", "audio.mp3", (bytes: Buffer) => InputMedia.audio(bytes, { caption: "as audio" })],
    ["image", "photo.jpg", (bytes: Buffer) => InputMedia.photo(bytes, { caption: "as image" })],
  ])("a %s, with equal bytes", async (type, name, media) => {
    const bytes = await bytesOf(name);
    await bob.sendMedia(aliceId, media(bytes));
    await carries(await reported("message.new", { text: `as ${type}` }), bytes);
  });

  test("an album, which is a message for each file in its order, with equal bytes", async () => {
    const [photo, small, video] = await Promise.all(["photo.jpg", "small.jpg", "video.mp4"].map(bytesOf));
    if (!photo || !small || !video) throw new Error("no files");
    const album = [InputMedia.photo(photo, { caption: "one" }), InputMedia.video(video, { caption: "two" }), InputMedia.photo(small)];
    const before = context.storage.updates?.events.length ?? 0;
    const sentIds = (await bob.sendMediaGroup(aliceId, album)).map(({ id }) => id);
    expect(sentIds).toHaveLength(3);
    const since = (): Record<string, unknown>[] =>
      (context.storage.updates?.events.slice(before) ?? []).map(({ data }): Record<string, unknown> => Object(data));
    await eventually("the album", () => since().length === 3);
    expect(since().map(({ type, text }) => [type, text])).toEqual([
      ["image", "one"],
      ["video", "two"],
      ["image", ""],
    ]);
    for (const [index, bytes] of [photo, video, small].entries()) await carries(since()[index] ?? {}, bytes);
  });

  test("a voice note, with its length and equal bytes", async () => {
    const bytes = await bytesOf("audio.mp3");
    const { media } = await bob.sendMedia(aliceId, InputMedia.voice(bytes, { duration: 3, waveform: [1, 9, 30, 9, 1], caption: "listen" }));
    expect(media?.type).toBe("voice");
    const note = await reported("message.new", { text: "listen" });
    expect(note).toMatchObject({ type: "audio", duration: 3 });
    await carries(note, bytes);
  });

  test("a place and a contact", async () => {
    await bob.sendMedia(aliceId, InputMedia.geo(51.5, -0.125));
    await bob.sendMedia(aliceId, InputMedia.contact({ phone: "15550100003", firstName: "Carol" }));
    expect(await reported("message.new", { type: "location" })).toMatchObject({
      location: { latitude: expect.closeTo(51.5, 4) as number },
    });
    expect(await reported("message.new", { type: "contact" })).toMatchObject({ contact: { name: "Carol", phone: "15550100003" } });
  });

  test("reports a poll as an unsupported message, no votes, and the next message", async () => {
    const before = context.storage.updates?.events.length ?? 0;
    const { id } = await bob.sendMedia(aliceId, InputMedia.poll({ question: "Tea?", answers: ["Yes", "No"] }));
    expect(await reported("message.new", { type: "other" })).toMatchObject({ text: "", url: "" });
    const { results } = await bob.sendVote({ chatId: aliceId, message: id, options: 0 });
    expect(results?.totalVoters).toBe(1);
    await bob.closePoll({ chatId: aliceId, message: id });
    await bob.sendText(aliceId, "after the poll");
    await reported("message.new", { text: "after the poll" });
    expect(context.storage.updates?.events.slice(before).map(({ type }) => type)).toEqual(["message.new", "message.new"]);
  });

  test("reports a reply with the id of the quoted message", async () => {
    const before = seen.messages.length;
    const { messageId } = await fixture.run(alice, "send-message", { to: toBob, type: "text", text: "question" });
    const { id } = await eventually("the question", () => seen.messages.slice(before).find(({ text }) => text === "question"));
    const reply = await bob.replyText(await messageOf(id), "answer");
    expect(await reported("message.new", { text: "answer" })).toMatchObject({ replyTo: messageId });
    expect((await bob.getReplyTo(await messageOf(reply.id)))?.text).toBe("question");
  });

  test("that all was read", async () => {
    const { id } = await sent({ to: toBob, type: "text", text: "read me" });
    await bob.readHistory(aliceId, { maxId: id });
    await reported("message.read", { by: "them" });
  });
});

describe("an absence of the other side", () => {
  test("ends with the first message after it, which shows the gap", async () => {
    const texts = ["one", "two", "three"].map((text) => `${text} while you were away`);
    const before = seen.messages.length;
    const arrived = (): readonly string[] => seen.messages.slice(before).map(({ text }) => text);
    await fixture.fault({ account: "bob", kind: "drop", seconds: 1 });
    for (const text of texts) await fixture.run(alice, "send-message", { to: toBob, type: "text", text });
    await eventually("Bob's connection", () => fixture.connections().some((one) => one["account"] === "bob"));
    // A connection within that second is listed too, although its first call fails. This call waits for a working one.
    await bob.call({ _: "help.getNearestDc" });
    await fixture.run(alice, "send-message", { to: toBob, type: "text", text: "back again" });
    await eventually("all of them", () => arrived().includes("back again"));
    expect(arrived()).toEqual([...texts, "back again"]);
  });
});

describe("an absence of the account", () => {
  test("ends with all that the other side did meanwhile: new, edited and deleted, each once and in its order", async () => {
    const kept = await bob.sendText(aliceId, "before you left");
    const { id: keptId } = await reported("message.new", { text: "before you left" });
    const gone = await bob.sendText(aliceId, "not for long");
    const { id: goneId } = await reported("message.new", { text: "not for long" });
    const texts = ["four", "five", "six"].map((text) => `${text} while you were away`);
    const before = context.storage.updates?.events.length ?? 0;
    await fixture.fault({ account: "alice", kind: "drop", seconds: 2 });
    await context.until(({ kind }) => kind === "disconnected");
    for (const text of texts) await bob.sendText(aliceId, text);
    await bob.editMessage({ chatId: aliceId, message: kept.id, text: "edited while you were away" });
    await bob.deleteMessagesById(aliceId, [gone.id], { revoke: true });
    await context.connected();
    await reported("message.edited", { id: keptId, text: "edited while you were away" });
    const since = (): [string, unknown][] =>
      (context.storage.updates?.events.slice(before) ?? []).map(({ type, data }) => [type, Object(data)["text"] ?? Object(data)["ids"]]);
    await eventually("the deletion", () => since().some(([type]) => type === "message.deleted"));
    expect(since().filter(([type]) => type === "message.new")).toEqual(texts.map((text) => ["message.new", text]));
    expect(since().filter(([type]) => type === "message.edited")).toEqual([["message.edited", "edited while you were away"]]);
    expect(since().filter(([type]) => type === "message.deleted")).toEqual([["message.deleted", [goneId]]]);
  });
});

describe("a channel", () => {
  const listed = async (channel: string): Promise<{ id: string; type: string; text: string }[]> => {
    const { docs } = await fixture.run(alice, "list-channel-messages", { channelId: channel, limit: 10, before: 0 });
    return docs;
  };

  test("of the account: the other side reads what it posts, with equal bytes", async () => {
    const post: Recipient = { kind: "channel", chat: { kind: "username", username: "alice_news" } };
    await fixture.run(alice, "send-message", { to: post, type: "text", text: "news of today" });
    const image = { url: file("photo.jpg"), mimetype: "image/jpeg" };
    await fixture.run(alice, "send-message", { to: post, type: "image", text: "seen today", image });
    const [picture, text] = await bob.getHistory("alice_news", { limit: 2 });
    expect([text?.text, picture?.text]).toEqual(["news of today", "seen today"]);
    if (picture?.media?.type !== "photo") throw new Error("no photo");
    expect(Buffer.from(await bob.downloadAsBuffer(picture.media)).equals(await bytesOf("photo.jpg"))).toBe(true);
  });

  test("of the other side: the account lists what stands there, as it was edited, and without what was deleted", async () => {
    const first = await bob.sendText("bob_builds", "bricks");
    const second = await bob.sendText("bob_builds", "mortar");
    const third = await bob.sendMedia("bob_builds", InputMedia.photo(await bytesOf("photo.jpg"), { caption: "a wall" }));
    await bob.editMessage({ chatId: "bob_builds", message: first.id, text: "better bricks" });
    await bob.deleteMessagesById("bob_builds", [second.id]);
    const posts = (await listed("bob_builds")).filter(({ id }) => Number(id) >= first.id);
    expect(posts.map(({ id, type, text }) => [id, type, text])).toEqual([
      [String(third.id), "image", "a wall"],
      [String(first.id), "text", "better bricks"],
    ]);
  });
});

describe("a group of both", () => {
  test("has the members that either sees", async () => {
    const groupId = String(-sharedChats.familyGroup);
    const { docs } = await fixture.run(alice, "list-group-members", { groupId });
    const theirs = await bob.getChatMembers(-sharedChats.familyGroup);
    expect(docs.map(({ id }) => id).sort()).toEqual(theirs.map(({ user }) => String(user.id)).sort());
  });
});

async function messageOf(id: number): Promise<Message> {
  const [message] = await bob.getMessages(aliceId, [id]);
  if (!message) throw new Error("no such message");
  return message;
}

async function bobsClient(): Promise<TelegramClient> {
  const client = await mtcuteClient(fixture);
  client.onNewMessage.add((message) => void seen.messages.push(message));
  client.onUserTyping.add(({ status }) => void seen.typing.push(status));
  client.onStoryUpdate.add(({ story }) => void seen.stories.push(story));
  await scanned(fixture, client, "bob");
  return client;
}
