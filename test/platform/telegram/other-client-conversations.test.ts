/** Replies, reactions, changes, polls, albums, voice messages and stickers, as unmodified mtcute reads and sends them. */
import { InputMedia, type Message, type TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import { telegramEventTypes } from "../../../shared/contract/webhook-events.js";
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
const seen = { messages: [] as Message[], edits: [] as Message[], deleted: [] as number[] };

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice, context } = await fixture.login("alice"));
  context.requested = new Set(telegramEventTypes);
  bob = await mtcuteClient(fixture);
  bob.onNewMessage.add((message) => void seen.messages.push(message));
  bob.onEditMessage.add((message) => void seen.edits.push(message));
  bob.onDeleteMessage.add(({ messageIds }) => void seen.deleted.push(...messageIds));
  await scanned(fixture, bob, "bob");
  aliceId = (await bob.getUser("alice_sandbox")).id;
});
afterAll(async () => {
  await bob.destroy();
  await fixture.stop();
});

const family = -sharedChats.familyGroup;
const toBob: Recipient = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } };
const file = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;

/** Returns the messages that Bob's client receives of an action of the account. */
async function received(count: number, act: () => Promise<unknown>): Promise<readonly Message[]> {
  const before = seen.messages.length;
  await act();
  return await eventually("the messages", () => {
    const since = seen.messages.slice(before).filter(({ sender }) => sender.id === aliceId);
    return since.length >= count && since;
  });
}

/** Sends a text to Bob. Returns its id for the account, and as Bob's client received it. */
async function text(words: string): Promise<{ readonly messageId: number; readonly message: Message }> {
  let messageId = "";
  const [message] = await received(1, async () => {
    ({ messageId } = await fixture.run(alice, "send-message", { to: toBob, type: "text", text: words }));
  });
  if (message === undefined) throw new Error("not received");
  return { messageId: Number(messageId), message };
}

/** Waits for the gateway's event with these fields. */
async function reported(type: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const event = await eventually(`${type} ${JSON.stringify(fields)}`, () =>
    context.storage.updates?.events.find(
      (one) => one.type === type && Object.entries(fields).every(([name, value]) => Object(one.data)[name] === value),
    ),
  );
  return Object(event.data);
}

describe("mtcute reads what the account sends", () => {
  test("a reply, with the message that it quotes", async () => {
    const { id } = await bob.sendText(aliceId, "Are you open?");
    const { id: messageId } = await reported("message.new", { text: "Are you open?" });
    const [reply] = await received(1, () =>
      fixture.run(alice, "send-message", { to: toBob, type: "text", text: "Until six", replyTo: String(messageId) }),
    );
    expect(reply?.replyToMessage?.id).toBe(id);
    expect(reply && (await bob.getReplyTo(reply))?.text).toBe("Are you open?");
  });

  test("a reaction, and its removal", async () => {
    const { id } = await bob.sendText(aliceId, "Thank you");
    const { id: messageId } = await reported("message.new", { text: "Thank you" });
    const reactions = async (): Promise<unknown[]> => {
      const [message] = await bob.getMessages(aliceId, [id]);
      return (message?.reactions?.reactions ?? []).map(({ emoji, count }) => [emoji, count]);
    };
    await fixture.run(alice, "send-reaction", { to: toBob, messageId: Number(messageId), emoji: "👍" });
    expect(await reactions()).toEqual([["👍", 1]]);
    await fixture.run(alice, "send-reaction", { to: toBob, messageId: Number(messageId), emoji: "" });
    expect(await reactions()).toEqual([]);
  });

  test("an edit and a deletion", async () => {
    const { messageId, message } = await text("Open until six");
    await fixture.run(alice, "edit-message", { to: toBob, messageId, text: "Open until **seven**", parseMode: "markdown" });
    const edited = await eventually("the edit", () => seen.edits.find(({ id }) => id === message.id));
    expect(edited).toMatchObject({ text: "Open until seven", entities: [expect.objectContaining({ kind: "bold" })] });
    expect(edited.editDate).not.toBeNull();
    await fixture.run(alice, "delete-message", { to: toBob, messageId });
    await eventually("the deletion", () => seen.deleted.includes(message.id));
  });

  test("a poll, in which people vote", async () => {
    const [message] = await received(1, () =>
      fixture.run(alice, "send-poll", { to: toBob, question: "When?", options: ["At seven", "At eight"], multiple: true }),
    );
    if (message?.media?.type !== "poll") throw new Error("no poll");
    const { question, answers, isPublic, isMultiple } = message.media;
    expect([question, answers.map((one) => one.text), isPublic, isMultiple]).toEqual(["When?", ["At seven", "At eight"], false, true]);
    const { results } = await bob.sendVote({ chatId: aliceId, message: message.id, options: [0, 1] });
    expect(results?.totalVoters).toBe(1);
  });

  test("an album, in its order", async () => {
    const image = { url: file("photo.jpg"), mimetype: "image/jpeg" };
    const video = { url: file("video.mp4"), mimetype: "video/mp4", duration: 3 };
    const items = [
      { type: "image", text: "one", image },
      { type: "video", text: "two", video },
    ] as const;
    const album = await received(2, () => fixture.run(alice, "send-album", { to: toBob, items: [...items] }));
    expect(album.map(({ media, text: caption }) => [media?.type, caption])).toEqual([
      ["photo", "one"],
      ["video", "two"],
    ]);
    expect(album[0]?.groupedIdUnique).not.toBeNull();
    expect(album[1]?.groupedIdUnique).toBe(album[0]?.groupedIdUnique);
  });

  test("a voice message and a sticker", async () => {
    const audio = { url: file("voice.ogg"), mimetype: "audio/ogg", duration: 3 };
    const [voice] = await received(1, () => fixture.run(alice, "send-voice", { to: toBob, audio }));
    expect(voice?.media).toMatchObject({ type: "voice", duration: 3 });
    const image = { url: file("photo.jpg"), mimetype: "image/jpeg" };
    const [sticker] = await received(1, () => fixture.run(alice, "send-sticker", { to: toBob, image }));
    expect(sticker?.media?.type).toBe("sticker");
  });
});

describe("the account's events report what mtcute does", () => {
  test("a reaction in a private chat, changed and removed", async () => {
    const { messageId, message } = await text("How was it?");
    for (const emoji of ["👍", "🔥", null]) {
      await bob.sendReaction({ chatId: aliceId, message: message.id, emoji });
      await reported("message.reaction", { messageId: String(messageId), emoji: emoji ?? "" });
    }
  });

  test("a message, its edit, a reaction and its deletion in a group", async () => {
    const { id } = await bob.sendText(family, "Dinner at six");
    const { id: messageId, author, chat } = await reported("group.message.new", { text: "Dinner at six" });
    expect([author, chat]).toMatchObject([{ username: "bob_sandbox" }, { id: String(family) }]);
    await bob.editMessage({ chatId: family, message: id, text: "Dinner at seven" });
    await reported("group.message.edited", { id: messageId, text: "Dinner at seven" });
    await bob.sendReaction({ chatId: family, message: id, emoji: "👍" });
    expect(await reported("message.reaction", { messageId, emoji: "👍" })).toMatchObject({ author: { username: "bob_sandbox" } });
    await bob.deleteMessagesById(family, [id], { revoke: true });
    const { ids } = await reported("group.message.deleted", {});
    expect(ids).toEqual([messageId]);
  });

  test("a new title of a group, and a post in a channel", async () => {
    await bob.setChatTitle(family, "Family and friends");
    expect(await reported("group.changed", { change: "subject" })).toMatchObject({
      value: "Family and friends",
      author: { username: "bob_sandbox" },
    });
    await bob.sendMedia(family, InputMedia.poll({ question: "Tea?", answers: ["Yes", "No"] }));
    expect(await reported("group.message.new", { type: "other" })).toMatchObject({ author: { username: "bob_sandbox" } });
  });
});
