/**
 * A gateway account that its owner also uses on a phone with another client. Actions on the phone reach the gateway, and the gateway's
 * reach the phone.
 */
import type { Message, TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let context: TestContext;
let phone: TelegramClient;
let bob: TelegramClient;
/** Messages that the phone received. */
const shown: Message[] = [];

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice, context } = await fixture.login("alice"));
  [phone, bob] = [await mtcuteClient(fixture), await mtcuteClient(fixture)];
  phone.onNewMessage.add((message) => void shown.push(message));
  await scanned(fixture, phone, "alice");
  await scanned(fixture, bob, "bob");
});
afterAll(async () => {
  await phone.destroy();
  await bob.destroy();
  await fixture.stop();
});

async function reported(type: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const isIt = (event: UpdateEvent): boolean =>
    event.type === type && Object.entries(fields).every(([name, value]) => Object(event.data)[name] === value);
  const event = await eventually(`${type} ${JSON.stringify(fields)}`, () => context.storage.updates?.events.find(isIt));
  return Object(event.data);
}

describe("in a private chat", () => {
  test("what is written on the phone, its edit and its deletion are events of the account's own", async () => {
    const { id } = await phone.sendText("bob_sandbox", "from the phone");
    expect(await reported("message.new", { text: "from the phone" })).toMatchObject({ id: String(id), fromMe: true });
    await phone.editMessage({ chatId: "bob_sandbox", message: id, text: "said better" });
    expect(await reported("message.edited", { text: "said better" })).toMatchObject({ id: String(id), fromMe: true });
    await phone.deleteMessagesById("bob_sandbox", [id], { revoke: true });
    expect(await reported("message.deleted", {})).toMatchObject({ ids: [String(id)] });
  });

  test("what the gateway sends is shown on the phone, and is no event", async () => {
    const to: Recipient = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } };
    const { messageId } = await fixture.run(alice, "send-message", { to, type: "text", text: "from the gateway" });
    const copy = await eventually("the copy", () => shown.find(({ text }) => text === "from the gateway"));
    expect([String(copy.id), copy.isOutgoing]).toEqual([messageId, true]);
    await bob.sendText("alice_sandbox", "comes after it");
    await reported("message.new", { text: "comes after it" });
    expect(context.storage.updates?.events.map(({ data }) => Object(data)["text"])).not.toContain("from the gateway");
  });

  test("what is read on the phone was read by the account", async () => {
    await bob.sendText("alice_sandbox", "have you seen this?");
    const { id } = await reported("message.new", { text: "have you seen this?" });
    await phone.readHistory("bob_sandbox", { maxId: Number(id) });
    expect(await reported("message.read", { by: "me" })).toMatchObject({ until: id });
  });

  test("a reaction is no event, and the edit after it is one", async () => {
    const { id } = await bob.sendText("alice_sandbox", "like this?");
    const { id: messageId } = await reported("message.new", { text: "like this?" });
    await phone.sendReaction({ chatId: "bob_sandbox", message: Number(messageId), emoji: "👍" });
    await bob.editMessage({ chatId: "alice_sandbox", message: id, text: "or like that?" });
    await reported("message.edited", { id: messageId });
    const edits = context.storage.updates?.events.filter(({ type, data }) => type === "message.edited" && Object(data)["id"] === messageId);
    expect(edits?.map(({ data }) => Object(data)["text"])).toEqual(["or like that?"]);
  });
});

test("a channel that is joined on the phone is listed with its posts, until it is left", async () => {
  const name = "sandbox_not_joined";
  const channels = async (): Promise<string[]> => (await fixture.run(alice, "list-channels", {})).docs.map(({ username }) => username);
  const get = () => fixture.run(alice, "get-channel", { channelId: name });
  await expect(get()).rejects.toThrow("channel not found");
  expect(await channels()).not.toContain(name);
  await phone.joinChat(name);
  expect(await get()).toMatchObject({ username: name, isOwner: false });
  expect(await channels()).toContain(name);
  const { docs } = await fixture.run(alice, "list-channel-messages", { channelId: name, limit: 2, before: 0 });
  expect(docs).toHaveLength(2);
  await phone.leaveChat(name);
  expect(await channels()).not.toContain(name);
  await expect(get()).rejects.toThrow("channel not found");
});
