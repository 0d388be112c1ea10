/**
 * A person on unmodified mtcute appoints administrators and upgrades a basic group, with a gateway account in both. The rest is in the
 * sandbox's `test/telegram/world/administrators.test.ts`.
 */
import type { Message, TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/telegram/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let bob: TelegramClient;
const seen: Message[] = [];

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice } = await fixture.login("alice"));
  bob = await mtcuteClient(fixture);
  bob.onNewMessage.add((message) => void seen.push(message));
  await scanned(fixture, bob, "bob");
});
afterAll(async () => {
  await bob.destroy();
  await fixture.stop();
});

const written = async (kind: "group" | "channel", id: number, text: string): Promise<void> => {
  const to: Recipient = { kind, chat: { kind: "id", id: String(id) } };
  await fixture.run(alice, "send-message", { to, type: "text", text } satisfies MessageInput);
  await eventually("it came", () => seen.some((message) => message.text === text && message.chat.id === id));
};

test("an account that is appointed in a channel writes there, and no longer once it is a member again", async () => {
  const { id } = await bob.createChannel({ title: "Guest editors" });
  expect(await bob.addChatMembers(id, "alice_sandbox", {})).toEqual([]);
  const channel = async () => (await fixture.run(alice, "list-channels", {})).docs.find(({ name }) => name === "Guest editors");
  expect(await channel()).toMatchObject({ id: String(id), isOwner: false });
  await expect(written("channel", id, "too early")).rejects.toThrow();
  await bob.editAdminRights({ chatId: id, userId: "alice_sandbox", rights: { postMessages: true }, rank: "guest" });
  await written("channel", id, "my first column");
  expect(await bob.getChatMember({ chatId: id, userId: "alice_sandbox" })).toMatchObject({ status: "admin", title: "guest" });
  await bob.editAdminRights({ chatId: id, userId: "alice_sandbox", rights: {} });
  await expect(written("channel", id, "too late")).rejects.toThrow();
  expect(seen.map(({ text }) => text)).not.toContain("too late");
});

test("a basic group that becomes a supergroup is listed as that alone, and written in there", async () => {
  const { chat } = await bob.createGroup({ title: "Outgrown", users: ["alice_sandbox"] });
  await written("group", chat.id, "in the small one");
  const response = await bob.call({ _: "messages.migrateChat", chatId: -chat.id });
  bob.handleClientUpdate(response);
  const supergroup = response._ === "updates" ? response.chats.find(({ _ }) => _ === "channel") : undefined;
  const id = -1_000_000_000_000 - (supergroup?.id ?? 0);
  const ids = async () =>
    (await fixture.run(alice, "list-groups", {})).docs.flatMap((group) => (group.name === "Outgrown" ? group.id : []));
  expect(await ids()).toEqual([String(id)]);
  expect((await fixture.run(alice, "list-group-members", { groupId: String(id) })).docs).toHaveLength(2);
  await written("group", id, "in the big one");
  await expect(written("group", chat.id, "in the husk")).rejects.toThrow();
});
