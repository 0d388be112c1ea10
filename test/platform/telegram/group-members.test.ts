/** Results for single people of a call about members that the platform returns only in supergroups, or to a limited account. */
import type { TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import type { TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let context: TestContext;
let bob: TelegramClient;
let ivan: TelegramClient;

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice, context } = await fixture.login("alice"));
  [bob, ivan] = [await mtcuteClient(fixture), await mtcuteClient(fixture)];
  await scanned(fixture, bob, "bob");
  await scanned(fixture, ivan, "ivan");
});
afterAll(async () => {
  for (const client of [bob, ivan]) await client.destroy();
  await fixture.stop();
});

const named = (username: string) => ({ kind: "username", chat: { kind: "username", username } }) as const;

test("a banned person stays banned when an administrator removes or appoints them", async () => {
  const { id } = await bob.createSupergroup({ title: "Strict" });
  expect(await bob.addChatMembers(id, ["alice_sandbox", "ivan_sandbox"], {})).toEqual([]);
  const rights = { banUsers: true, addAdmins: true, inviteUsers: true } as const;
  await bob.editAdminRights({ chatId: id, userId: "alice_sandbox", rights });
  const { link } = await bob.createInviteLink(id);
  await bob.banChatMember({ chatId: id, participantId: "ivan_sandbox" });
  const input = { group: String(id), members: [named("ivan_sandbox")] };
  const absent = { username: "ivan_sandbox", code: 400, reason: expect.stringMatching(/^400: USER_NOT_PARTICIPANT/) as string };
  expect(await fixture.run(alice, "remove-group-members", input)).toEqual({ docs: [absent] });
  expect(await fixture.run(alice, "add-group-admins", input)).toEqual({ docs: [absent] });
  await expect(ivan.joinChat(link)).rejects.toThrow();
});

test("a limit of the account ends the requests about people, and counts as its restriction", async () => {
  const group = await fixture.run(alice, "create-group", { name: "Limited", members: [named("bob_sandbox")] });
  const members = [named("nobody_is_called_so"), named("ivan_sandbox"), named("judy_sandbox")];
  expect(context.health.restriction).toBeUndefined();
  await fixture.fault({ account: "alice", kind: "error", method: "messages.addChatUser", error: "400 PEER_FLOOD", times: 1 });
  fixture.resetCalls();
  const { docs } = await fixture.run(alice, "add-group-members", { group: group.id, members });
  const limit = expect.stringMatching(/^400: PEER_FLOOD/) as string;
  expect(docs.map(({ reason }) => reason)).toEqual(["400: chat not found", limit, limit]);
  expect(fixture.calls("messages.addChatUser")).toBe(1);
  expect(context.health.restriction).toMatchObject({ reason: "Telegram limits the account (PEER_FLOOD)" });
});
