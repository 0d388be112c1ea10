/** A person on unmodified mtcute sees the channels, the profile and the blocks of a gateway account, and invites it by links. */
import type { TelegramClient } from "@mtcute/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelReferenceInput } from "../../../shared/contract/telegram/channel.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";
import { mtcuteClient, scanned } from "./mtcute-client.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let bob: TelegramClient;

beforeAll(async () => {
  fixture = await TelegramFixture.start({ gapMs: 100 });
  ({ session: alice } = await fixture.login("alice"));
  bob = await mtcuteClient(fixture);
  await scanned(fixture, bob, "bob");
});
afterAll(async () => {
  await bob.destroy();
  await fixture.stop();
});

const byLink = (link: string): ChannelReferenceInput => ({ channel: { kind: "invite", link } });

test("a private channel is followed by its invite link, and left by it", async () => {
  const chat = await bob.createChannel({ title: "By invitation", description: "" });
  const link = await bob.exportInviteLink(chat.id);
  const followed = await fixture.run(alice, "follow-channel", byLink(link.link));
  expect(followed).toMatchObject({ id: String(chat.id), name: "By invitation", isOwner: false });
  expect(await fixture.run(alice, "follow-channel", byLink(link.link))).toEqual(followed);
  const { docs } = await fixture.run(alice, "list-channels", {});
  expect(docs.map(({ id }) => id)).toContain(String(chat.id));
  expect((await bob.getFullChat(chat.id)).membersCount).toBe(2);
  expect(await fixture.run(alice, "leave-channel", byLink(link.link))).toEqual({ id: String(chat.id) });
  expect((await bob.getFullChat(chat.id)).membersCount).toBe(1);
  await expect(fixture.run(alice, "leave-channel", byLink(link.link))).rejects.toMatchObject({ status: 400, message: "channel not found" });
});

test("a link into a group leads to no channel, and joins nothing", async () => {
  const group = await bob.createSupergroup({ title: "No channel" });
  const link = await bob.exportInviteLink(group.id);
  await expect(fixture.run(alice, "follow-channel", byLink(link.link))).rejects.toMatchObject({ message: "channel not found" });
  expect((await bob.getFullChat(group.id)).membersCount).toBe(1);
});

test("a revoked or unknown link is the platform's error", async () => {
  const chat = await bob.createChannel({ title: "Closed", description: "" });
  const link = await bob.exportInviteLink(chat.id);
  await bob.revokeInviteLink(chat.id, link.link);
  for (const reference of [byLink(link.link), byLink("t.me/+AAAAAAAAAAAAAAAA")])
    await expect(fixture.run(alice, "follow-channel", reference)).rejects.toMatchObject({
      status: 500,
      message: "400: INVITE_HASH_EXPIRED (caused by messages.CheckChatInvite)",
    });
});

test("another client sees a new channel's name, description and picture", async () => {
  const { id } = await fixture.run(alice, "create-channel", { name: "From the gateway", description: "by Alice" });
  const picture = `${fixture.sandbox.controlUrl}/files/photo.jpg`;
  await fixture.run(alice, "update-channel", { channelId: id, name: "Renamed", description: "new", picture });
  const { world } = fixture.sandbox.telegram;
  const channel = world.chats.channel(-Number(id) - 10 ** 12);
  expect([channel?.title, channel?.about, channel && world.profilePhotos.idOf(channel)]).toEqual(["Renamed", "new", expect.any(Number)]);
  await fixture.run(alice, "update-channel", { channelId: id, description: "", picture: "" });
  expect([channel?.title, channel?.about, channel && world.profilePhotos.idOf(channel)]).toEqual(["Renamed", "", undefined]);
});

test("another client sees the new profile", async () => {
  await fixture.run(alice, "update-profile", { name: "Ada  King of Lovelace", about: "Countess" });
  const user = await bob.getFullUser("alice_sandbox");
  expect([user.firstName, user.lastName, user.bio]).toEqual(["Ada", "King of Lovelace", "Countess"]);
  await fixture.run(alice, "update-profile", { name: "Alice" });
  const renamed = await bob.getFullUser("alice_sandbox");
  expect([renamed.firstName, renamed.lastName, renamed.bio]).toEqual(["Alice", null, "Countess"]);
});

test("a blocked person cannot write, and is written to again after the block", async () => {
  const to = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } } as const;
  await fixture.run(alice, "block-person", { to });
  await expect(bob.sendText("alice_sandbox", "hello?")).rejects.toThrow("USER_IS_BLOCKED");
  await expect(fixture.run(alice, "send-message", { to, type: "text", text: "x" })).rejects.toMatchObject({
    message: "400: YOU_BLOCKED_USER (caused by messages.SendMessage)",
  });
  await fixture.run(alice, "unblock-person", { to });
  await bob.sendText("alice_sandbox", "hello again");
  await eventually("the message", () => fixture.run(alice, "send-message", { to, type: "text", text: "y" }));
});

test("a username of a channel is no person to block", async () => {
  const to = { kind: "username", chat: { kind: "username", username: "alice_news" } } as const;
  await expect(fixture.run(alice, "block-person", { to })).rejects.toMatchObject({ status: 400, message: "chat not found" });
});
