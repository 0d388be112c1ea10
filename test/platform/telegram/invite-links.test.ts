/**
 * Invite links by unmodified mtcute: the owner joins by a link on the phone, and others join chats of the account. The rest is in the
 * sandbox's `test/telegram/world/invite-links.test.ts`.
 */
import type { TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessageInput } from "../../../shared/contract/telegram/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
/** Clients of Alice herself and of two others. */
let phone: TelegramClient;
let bob: TelegramClient;
let frank: TelegramClient;

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice } = await fixture.login("alice"));
  [phone, bob, frank] = [await mtcuteClient(fixture), await mtcuteClient(fixture), await mtcuteClient(fixture)];
  await scanned(fixture, phone, "alice");
  await scanned(fixture, bob, "bob");
  await scanned(fixture, frank, "frank");
});
afterAll(async () => {
  for (const client of [phone, bob, frank]) await client.destroy();
  await fixture.stop();
});

const listed = async (kind: "groups" | "channels"): Promise<string[]> =>
  (await fixture.run(alice, `list-${kind}`, {})).docs.map(({ name }) => name);

test.each([
  ["supergroup", "groups", () => bob.createSupergroup({ title: "By link, supergroup" })],
  ["channel", "channels", () => bob.createChannel({ title: "By link, channel" })],
  ["basic group", "groups", async () => (await bob.createGroup({ title: "By link, basic group", users: ["ivan_sandbox"] })).chat],
] as const)("a %s that the account's owner comes into by a link is listed from then on", async (kind, list, make) => {
  const chat = await make();
  const { link, usageLimit } = await bob.createInviteLink(chat, { usageLimit: 3 });
  expect(usageLimit).toBe(3);
  expect(await phone.getChatPreview(link)).toMatchObject({ title: `By link, ${kind}` });
  expect(await listed(list)).not.toContain(`By link, ${kind}`);
  const joined = await phone.joinChat(link);
  expect(joined).toMatchObject({ status: "ok", chat: { id: chat.id } });
  expect(await listed(list)).toContain(`By link, ${kind}`);
  await expect(phone.joinChat(link)).rejects.toThrow("USER_ALREADY_PARTICIPANT");
  const members = await bob.getInviteLinkMembers(chat, { link });
  expect(members.map(({ user }) => user.username)).toEqual(["alice_sandbox"]);
});

test("joins a user by invite link, who reads messages until the link's owner removes them", async () => {
  const chat = await bob.createSupergroup({ title: "Visitors" });
  expect(await bob.addChatMembers(chat.id, "alice_sandbox", {})).toEqual([]);
  const { link } = await bob.exportInviteLink(chat);
  expect((await bob.getPrimaryInviteLink(chat)).link).toBe(link);
  const texts: string[] = [];
  frank.onNewMessage.add(({ text }) => void texts.push(text));
  await frank.joinChat(link);
  const groupId = String(chat.id);
  const names = async (): Promise<string[]> => (await fixture.run(alice, "list-group-members", { groupId })).docs.map(({ name }) => name);
  expect(await names()).toHaveLength(3);
  const input: MessageInput = { to: { kind: "group", chat: { kind: "id", id: groupId } }, type: "text", text: "welcome, whoever you are" };
  await fixture.run(alice, "send-message", input);
  await eventually("it came", () => texts.includes("welcome, whoever you are"));
  const [came] = await bob.getInviteLinkMembers(chat, { link });
  const revoked = await bob.revokeInviteLink(chat, link);
  expect([revoked.isPrimary, revoked.link === link]).toEqual([true, false]);
  await bob.banChatMember({ chatId: chat.id, participantId: came?.user.inputPeer ?? "" });
  expect(await names()).toHaveLength(2);
  await expect(frank.joinChat(revoked.link)).rejects.toThrow("INVITE_HASH_EXPIRED");
});
