/**
 * Administrators and upgrades to supergroups, with the requests of mtcute and Telethon (edit_admin, MigrateChatRequest). Errors by
 * Telethon's telethon_generator/data/methods.csv and core.telegram.org/method.
 */
import { Long, type tl } from "@mtcute/core";
import bigInt from "big-integer";
import { Api } from "telegram";
import { describe, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { actions, threeClients } from "./three-clients.js";

const clients = threeClients();
const { idOf, user, channelOf } = clients;
const madeIn = (updates: tl.TypeUpdates): number => (updates._ === "updates" ? (updates.chats[0]?.id ?? 0) : 0);
const channel = async (title: string, kind: "broadcast" | "megagroup"): Promise<number> =>
  madeIn(
    await clients.bob.client.call({
      _: "channels.createChannel",
      title,
      about: "",
      broadcast: kind === "broadcast",
      megagroup: kind === "megagroup",
    }),
  );
const group = async (title: string, ...accounts: string[]): Promise<number> =>
  madeIn((await clients.bob.client.call({ _: "messages.createChat", title, users: accounts.map((account) => user(account)) })).updates);
const appoint = (id: number, account: string, rights: Partial<tl.RawChatAdminRights>, rank = "", by = clients.bob, seenBy = "bob") =>
  by.client.call({
    ...{ _: "channels.editAdmin", channel: channelOf(id, seenBy), userId: user(account, seenBy), rank },
    adminRights: { _: "chatAdminRights", ...rights },
  } as const);
const peerOf = (account: string, seenBy: "bob" | "frank") => ({ ...user(account, seenBy), _: "inputPeerUser" }) as const;
const write = (peer: tl.TypeInputPeer, message: string, by = clients.frank) =>
  by.client.call({ _: "messages.sendMessage", peer, message, randomId: Long.fromNumber(Math.floor(Math.random() * 2 ** 50)) });
const post = (id: number, message: string) => write({ ...channelOf(id, "frank"), _: "inputPeerChannel" }, message);
async function admins(id: number): Promise<tl.TypeChannelParticipant[]> {
  const filter = { _: "channelParticipantsAdmins" } as const;
  const found = await clients.bob.client.call({
    _: "channels.getParticipants",
    channel: channelOf(id),
    filter,
    offset: 0,
    limit: 100,
    hash: Long.ZERO,
  });
  return found._ === "channels.channelParticipants" ? found.participants : [];
}

describe("an administrator of a channel", () => {
  it("is appointed by its creator, comes in by that, has the rights and the rank that were named, and may be a member again", async () => {
    const id = await channel("Editors", "broadcast");
    expect(await appoint(id, "frank", { postMessages: true, editMessages: true }, "editor")).toMatchObject({
      updates: [{ _: "updateChannel", channelId: id }],
    });
    await expect.poll(() => clients.frank.pushed).toContainEqual({ _: "updateChannel", channelId: id });
    await post(id, "hot off the press");
    expect(await admins(id)).toMatchObject([
      { _: "channelParticipantCreator", userId: idOf("bob") },
      {
        ...{ _: "channelParticipantAdmin", userId: idOf("frank"), promotedBy: idOf("bob"), rank: "editor" },
        adminRights: { postMessages: true, editMessages: true, deleteMessages: false, inviteUsers: false },
      },
    ]);
    const adminRights = { _: "chatAdminRights", deleteMessages: true } as const;
    await clients.bob.client.call({ _: "channels.editAdmin", channel: channelOf(id), userId: user("frank"), adminRights });
    expect(await admins(id)).toMatchObject([{}, { rank: "editor", adminRights: { postMessages: false, deleteMessages: true } }]);
    await expect(post(id, "not any more")).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await appoint(id, "frank", {});
    expect(await admins(id)).toHaveLength(1);
    const seat = await clients.frank.client.call({
      _: "channels.getParticipant",
      channel: channelOf(id, "frank"),
      participant: { _: "inputPeerSelf" },
    });
    expect(seat).toMatchObject({ participant: { _: "channelParticipantSelf" } });
  });

  it("is none any more who leaves", async () => {
    const id = await channel("Come and go", "megagroup");
    await appoint(id, "frank", { deleteMessages: true });
    expect(await admins(id)).toHaveLength(2);
    await clients.frank.client.call({ _: "channels.leaveChannel", channel: channelOf(id, "frank") });
    expect(await admins(id)).toHaveLength(1);
  });

  it("has all rights if the creator names them, appoints others with those, and is dismissed and banned by whoever appointed them", async () => {
    const id = await channel("Deputies", "megagroup");
    await appoint(id, "frank", { addAdmins: true, banUsers: true, deleteMessages: true, changeInfo: true });
    expect(await admins(id)).toMatchObject([{}, { adminRights: { addAdmins: true, banUsers: true } }]);
    await appoint(id, "alice", { deleteMessages: true }, "", clients.frank, "frank");
    expect(await admins(id)).toMatchObject([{}, {}, { userId: idOf("alice"), promotedBy: idOf("frank") }]);
    await expect(appoint(id, "alice", { pinMessages: true }, "", clients.frank, "frank")).rejects.toThrow("RIGHT_FORBIDDEN");
    const ban = (account: "alice" | "frank", by: "bob" | "frank") =>
      clients[by].client.call({
        ...{ _: "channels.editBanned", channel: channelOf(id, by), participant: peerOf(account, by) },
        bannedRights: { _: "chatBannedRights", viewMessages: true, untilDate: 0 },
      } as const);
    await ban("alice", "frank");
    expect(await admins(id)).toHaveLength(2);
    await appoint(id, "alice", { deleteMessages: true });
    await expect(ban("alice", "frank")).rejects.toThrow("USER_ADMIN_INVALID");
    await ban("frank", "bob");
    expect(await admins(id)).toMatchObject([{}, { userId: idOf("alice") }]);
  });

  it("is refused where the platform refuses it", async () => {
    const id = await channel("Strict", "megagroup");
    await appoint(id, "frank", { deleteMessages: true });
    await expect(appoint(id, "frank", { deleteMessages: true }, "x".repeat(17))).rejects.toThrow("ADMIN_RANK_INVALID");
    await expect(appoint(id, "frank", { deleteMessages: true }, "boss 👑")).rejects.toThrow("ADMIN_RANK_EMOJI_NOT_ALLOWED");
    await expect(appoint(id, "bob", { deleteMessages: true })).rejects.toThrow("USER_CREATOR");
    await expect(appoint(id, "alice", { deleteMessages: true }, "", clients.frank, "frank")).rejects.toThrow("RIGHT_FORBIDDEN");
    await expect(appoint(sharedChats.dailyChannel, "frank", { deleteMessages: true })).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await clients.sandbox.control("POST", "/phone/settings", { platform: "telegram", account: "heidi", block: "bob" });
    await expect(appoint(id, "heidi", { deleteMessages: true })).rejects.toThrow("USER_PRIVACY_RESTRICTED");
  });
});

describe("an administrator of a basic group", () => {
  it("is appointed by its creator, removes members, and all are told who it is", async () => {
    const id = await group("Stewards", "frank", "alice");
    const remove = () => clients.frank.client.call({ _: "messages.deleteChatUser", chatId: id, userId: user("alice", "frank") });
    await expect(remove()).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    const edit = (account: string, isAdmin: boolean) =>
      clients.bob.client.call({ _: "messages.editChatAdmin", chatId: id, userId: user(account), isAdmin });
    expect(await edit("frank", true)).toBe(true);
    const told = () =>
      clients.frank.pushed.flatMap((update) =>
        update._ === "updateChatParticipants" && update.participants._ === "chatParticipants" && update.participants.chatId === id
          ? [update.participants.participants.find(({ userId }) => userId === idOf("frank"))?._]
          : [],
      );
    await expect.poll(told).toContain("chatParticipantAdmin");
    await remove();
    await edit("frank", false);
    await expect.poll(() => told().at(-1)).toBe("chatParticipant");
    await expect(edit("alice", true)).rejects.toThrow("USER_NOT_PARTICIPANT");
    const byFrank = clients.frank.client.call({ _: "messages.editChatAdmin", chatId: id, userId: user("bob", "frank"), isAdmin: true });
    await expect(byFrank).rejects.toThrow("CHAT_ID_INVALID");
  });
});

describe("a basic group that becomes a supergroup", () => {
  it("has all its people there, tells in both where they are, and is a husk from then on", async () => {
    const id = await group("Grown up", "frank", "alice");
    await clients.bob.client.call({ _: "messages.editChatAdmin", chatId: id, userId: user("frank"), isAdmin: true });
    await expect(clients.frank.client.call({ _: "messages.migrateChat", chatId: id })).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    const answer = await clients.bob.client.call({ _: "messages.migrateChat", chatId: id });
    if (answer._ !== "updates") throw new Error(answer._);
    const channelId = answer.chats.find(({ _ }) => _ === "channel")?.id ?? 0;
    const [left, came] = [
      { _: "messageActionChatMigrateTo", channelId },
      { _: "messageActionChannelMigrateFrom", title: "Grown up", chatId: id },
    ];
    expect(answer.updates).toMatchObject([
      { _: "updateNewMessage", message: { action: left } },
      { _: "updateChatParticipants" },
      { _: "updateNewChannelMessage", message: { id: 1, action: came } },
      { _: "updateChannel", channelId },
    ]);
    expect(answer.chats).toMatchObject([
      { _: "chat", id, deactivated: true, migratedTo: { channelId } },
      { _: "channel", megagroup: true, title: "Grown up", creator: true, participantsCount: 3 },
    ]);
    await expect.poll(() => actions(clients.frank, id)).toMatchObject([{ _: "messageActionChatCreate" }, left]);
    await expect.poll(() => actions(clients.frank, channelId)).toMatchObject([came]);
    expect((await admins(channelId)).map(({ _ }) => _)).toEqual(["channelParticipantCreator", "channelParticipantAdmin"]);
    expect(await clients.bob.client.call({ _: "channels.getFullChannel", channel: channelOf(channelId) })).toMatchObject({
      fullChat: { migratedFromChatId: Long.fromNumber(id), participantsCount: 3 },
    });
    await expect(write({ _: "inputPeerChat", chatId: id }, "still here?")).rejects.toThrow("PEER_ID_INVALID");
    await post(channelId, "here we are");
    const dialogs = await clients.alice.invoke(
      new Api.messages.GetDialogs({ offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt.zero }),
    );
    if (dialogs instanceof Api.messages.DialogsNotModified) throw new Error("not modified");
    expect(dialogs.chats.find((chat) => chat.id.toString() === String(id))).toMatchObject({ className: "Chat", deactivated: true });
    expect(dialogs.chats.find((chat) => chat.id.toString() === String(channelId))).toMatchObject({
      className: "Channel",
      title: "Grown up",
    });
    await expect(clients.bob.client.call({ _: "messages.migrateChat", chatId: id })).rejects.toThrow("CHAT_ID_INVALID");
  });
});

it("all of it lasts over a restart", async () => {
  const news = await channel("Lasting editors", "broadcast");
  await appoint(news, "frank", { postMessages: true }, "editor");
  const id = await group("Lasting husk", "frank");
  const answer = await clients.bob.client.call({ _: "messages.migrateChat", chatId: id });
  const channelId = answer._ === "updates" ? (answer.chats.find(({ _ }) => _ === "channel")?.id ?? 0) : 0;
  await clients.restart();
  expect(await admins(news)).toMatchObject([{}, { userId: idOf("frank"), rank: "editor", adminRights: { postMessages: true } }]);
  await post(news, "still an editor");
  expect(await clients.bob.client.call({ _: "messages.getChats", id: [id] })).toMatchObject({
    chats: [{ deactivated: true, migratedTo: { channelId } }],
  });
  expect(await clients.bob.client.call({ _: "channels.getFullChannel", channel: channelOf(channelId) })).toMatchObject({
    fullChat: { migratedFromChatId: Long.fromNumber(id), participantsCount: 2 },
  });
  await post(channelId, "still a member");
});
