/**
 * A person on unmodified mtcute creates chats with a gateway account: they appear without a restart, the account writes there, and removal
 * hides them. The person's side is in the sandbox's `test/telegram/world/new-chats.test.ts`.
 */
import { type Chat, InputMedia, type Message, type TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/telegram/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let context: TestContext;
let bob: TelegramClient;
let aliceId: number;
const seen: Message[] = [];

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice, context } = await fixture.login("alice"));
  bob = await mtcuteClient(fixture);
  bob.onNewMessage.add((message) => void seen.push(message));
  await scanned(fixture, bob, "bob");
  aliceId = (await bob.getUser("alice_sandbox")).id;
});
afterAll(async () => {
  await bob.destroy();
  await fixture.stop();
});

const file = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;
const bytesOf = async (name: string): Promise<Buffer> => Buffer.from(await (await fetch(file(name))).arrayBuffer());
const groupNames = async (): Promise<string[]> => (await fixture.run(alice, "list-groups", {})).docs.map(({ name }) => name);
const channelNames = async (): Promise<string[]> => (await fixture.run(alice, "list-channels", {})).docs.map(({ name }) => name);

/** Returns the message that Bob's client received from the gateway in that chat. */
async function sent(chat: Chat, input: Omit<MessageInput, "to">, kind: "group" | "channel" = "group"): Promise<Message> {
  const before = seen.length;
  const to: Recipient = { kind, chat: { kind: "id", id: String(chat.id) } };
  await fixture.run(alice, "send-message", { ...input, to } as MessageInput);
  return await eventually("the message", () => seen.slice(before).find(({ sender }) => sender.id === aliceId));
}

/** Group messages produce no event, but a later private message does. */
async function stillReported(text: string): Promise<void> {
  const before = context.storage.updates?.events.length ?? 0;
  await bob.sendText(aliceId, text);
  const events = () => (context.storage.updates?.events ?? []).slice(before).map(({ type, data }) => [type, Object(data)["text"]]);
  await eventually("the message", () => events().length > 0);
  expect(events()).toEqual([["message.new", text]]);
}

async function sameBytes(message: Message | undefined, name: string): Promise<void> {
  const media = message?.media;
  if (
    media?.type !== "photo" &&
    media?.type !== "document" &&
    media?.type !== "audio" &&
    media?.type !== "voice" &&
    media?.type !== "video"
  )
    throw new Error(`no file but ${media?.type}`);
  expect(Buffer.from(await bob.downloadAsBuffer(media)).equals(await bytesOf(name))).toBe(true);
}

test("a basic group is there with its members, is written to, renamed, and gone when the account is removed", async () => {
  const { chat, missing } = await bob.createGroup({ title: "Rowing", users: [aliceId] });
  expect([chat.title, chat.isCreator, missing]).toEqual(["Rowing", true, []]);
  const groupId = String(chat.id);
  expect(await groupNames()).toContain("Rowing");
  expect(await fixture.run(alice, "get-group", { groupId })).toMatchObject({ id: groupId, name: "Rowing", username: "" });
  const { docs } = await fixture.run(alice, "list-group-members", { groupId });
  expect(docs.map(({ name }) => name)).toEqual(["Bob Builder", "Alice Liddell 🌸"]);
  expect(await sent(chat, { type: "text", text: "all together" } as MessageInput)).toMatchObject({
    text: "all together",
    chat: { id: chat.id },
  });
  await bob.setChatTitle(chat.id, "Sculling");
  expect(await groupNames()).toContain("Sculling");
  await bob.banChatMember({ chatId: chat.id, participantId: aliceId });
  expect(await groupNames()).not.toContain("Sculling");
  await expect(fixture.run(alice, "list-group-members", { groupId })).rejects.toThrow("group not found");
  expect(await bob.addChatMembers(chat.id, aliceId, {})).toEqual([]);
  expect(await groupNames()).toContain("Sculling");
  await bob.deleteGroup(chat.id);
  expect(await groupNames()).not.toContain("Sculling");
  await stillReported("after the group");
});

describe("a supergroup", () => {
  let chat: Chat;
  beforeAll(async () => {
    chat = await bob.createSupergroup({ title: "Regatta", description: "Every June" });
    await bob.addChatMembers(chat.id, aliceId, {});
  });

  test("is there with its members", async () => {
    const groupId = String(chat.id);
    expect(await fixture.run(alice, "get-group", { groupId })).toMatchObject({ id: groupId, name: "Regatta", description: "Every June" });
    const { docs } = await fixture.run(alice, "list-group-members", { groupId });
    expect(docs.map(({ name }) => name)).toEqual(["Bob Builder", "Alice Liddell 🌸"]);
  });

  test("carries texts and files of the account, with equal bytes", async () => {
    expect(await sent(chat, { type: "text", text: "ready all" } as MessageInput)).toMatchObject({ text: "ready all" });
    const image = { url: file("photo.jpg"), mimetype: "image/jpeg" };
    await sameBytes(await sent(chat, { type: "image", text: "the boat", image } as MessageInput), "photo.jpg");
    const audio = { url: file("audio.mp3"), mimetype: "audio/mpeg", duration: 3 };
    await sameBytes(await sent(chat, { type: "audio", audio } as MessageInput), "audio.mp3");
    const [, picture] = (await bob.getHistory(chat.id, { limit: 2 })).map(({ text }) => text);
    expect(picture).toBe("the boat");
  });

  test("is no event, whatever is written there, and what comes after it is one", async () => {
    await bob.sendText(chat.id, "in the group");
    await bob.sendMedia(chat.id, InputMedia.voice(await bytesOf("audio.mp3"), { duration: 3 }));
    await bob.sendMediaGroup(chat.id, [InputMedia.photo(await bytesOf("photo.jpg")), InputMedia.photo(await bytesOf("small.jpg"))]);
    await stillReported("after the supergroup");
  });

  test("is gone when the account is thrown out, and back when it is brought back", async () => {
    await bob.kickChatMember({ chatId: chat.id, userId: aliceId });
    expect(await groupNames()).not.toContain("Regatta");
    await expect(fixture.run(alice, "get-group", { groupId: String(chat.id) })).rejects.toThrow("group not found");
    await bob.addChatMembers(chat.id, aliceId, {});
    expect(await groupNames()).toContain("Regatta");
  });
});

describe("a channel", () => {
  let chat: Chat;
  beforeAll(async () => {
    chat = await bob.createChannel({ title: "Results", description: "As they come" });
    await bob.addChatMembers(chat.id, aliceId, {});
  });
  const listed = async (limit: number, before = 0) =>
    (await fixture.run(alice, "list-channel-messages", { channelId: String(chat.id), limit, before })).docs;

  test("is there, and the account is no owner of it", async () => {
    const id = String(chat.id);
    expect(await fixture.run(alice, "get-channel", { channelId: id })).toMatchObject({ id, name: "Results", isOwner: false });
    expect(await channelNames()).toContain("Results");
    const to: Recipient = { kind: "channel", chat: { kind: "id", id } };
    await expect(fixture.run(alice, "send-message", { to, type: "text", text: "mine" })).rejects.toThrow("CHAT_ADMIN_REQUIRED");
  });

  test("lists its posts, an album and a voice note with equal bytes", async () => {
    await bob.sendText(chat.id, "first heat");
    const album = ["photo.jpg", "small.jpg"];
    const pictures = await Promise.all(album.map(async (name) => InputMedia.photo(await bytesOf(name), { caption: name })));
    await bob.sendMediaGroup(chat.id, pictures);
    await bob.sendMedia(chat.id, InputMedia.voice(await bytesOf("audio.mp3"), { duration: 3 }));
    const [voice, ...others] = await listed(10);
    expect(others.map(({ type, text }) => [type, text])).toEqual([
      ["image", "small.jpg"],
      ["image", "photo.jpg"],
      ["text", "first heat"],
    ]);
    expect(voice).toMatchObject({ type: "audio", duration: 3, size: (await bytesOf("audio.mp3")).length });
    const chunkOf = async (messageId: string | undefined, variant: "photo" | "file"): Promise<Buffer | undefined> => {
      const address = { chatId: String(chat.id), messageId: messageId ?? "", variant };
      const { fileKey, etag } = await fixture.run(alice, "describe-media", address);
      await fixture.run(alice, "read-chunk", { ...address, fileKey, etag, chunk: 0 });
      return fixture.chunks.get(`${fileKey}:0`);
    };
    expect((await chunkOf(voice?.id, "file"))?.equals(await bytesOf("audio.mp3"))).toBe(true);
    for (const { id, text } of others.slice(0, 2)) expect((await chunkOf(id, "photo"))?.equals(await bytesOf(text))).toBe(true);
  });

  test("lists the requested number of posts, skipping service notes", async () => {
    for (const title of ["Results 1", "Results 2", "Results 3"]) await bob.setChatTitle(chat.id, title);
    const page = await listed(2);
    expect(page.map(({ type, text }) => [type, text])).toEqual([
      ["audio", ""],
      ["image", "small.jpg"],
    ]);
    const rest = await listed(10, Number(page.at(-1)?.id));
    expect(rest.map(({ text }) => text)).toEqual(["photo.jpg", "first heat"]);
    expect(await listed(10, Number(rest.at(-1)?.id))).toEqual([]);
  });

  test("is gone when it is deleted", async () => {
    expect(await channelNames()).toContain("Results 3");
    await bob.deleteChannel(chat.id);
    expect(await channelNames()).not.toContain("Results 3");
    await stillReported("after the channel");
  });
});

test("what happens in one of the account's absence is there when it is back", async () => {
  await fixture.fault({ account: "alice", kind: "drop", seconds: 2 });
  await context.until(({ kind }) => kind === "disconnected");
  const { chat } = await bob.createGroup({ title: "Meanwhile", users: [aliceId] });
  await bob.sendText(chat.id, "where are you?");
  await bob.createSupergroup({ title: "Meanwhile too" }).then(({ id }) => bob.addChatMembers(id, aliceId, {}));
  await context.connected();
  expect(await groupNames()).toEqual(expect.arrayContaining(["Meanwhile", "Meanwhile too"]));
  await stillReported("back again");
});
