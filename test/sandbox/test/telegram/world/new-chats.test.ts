/**
 * New groups and channels and their members, with mtcute's requests (createGroup, addChatMembers, banChatMember and others) and Telethon's
 * kick_participant. Errors by Telethon's telethon_generator/data/methods.csv.
 */
import { Long, type tl } from "@mtcute/core";
import bigInt from "big-integer";
import { Api } from "telegram";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { actions, threeClients } from "./three-clients.js";

const clients = threeClients();
const { idOf, hash, person, user, channelOf } = clients;

beforeAll(async () => {
  // Bob has Frank as a contact, but Frank does not have Bob.
  await clients.frank.client.call({ _: "contacts.deleteContacts", id: [user("bob", "frank")] });
});
const settings = async (account: string, fields: Record<string, unknown>): Promise<void> => {
  await clients.sandbox.control("POST", "/phone/settings", { platform: "telegram", account, ...fields });
};

const createChat = (title: string, ...accounts: string[]) =>
  clients.bob.client.call({ _: "messages.createChat", title, users: accounts.map((account) => user(account)) });
async function group(title: string, ...accounts: string[]): Promise<number> {
  const { updates } = await createChat(title, ...accounts);
  if (updates._ !== "updates") throw new Error(updates._);
  return updates.chats[0]?.id ?? 0;
}
async function channel(title: string, kind: "broadcast" | "megagroup", about = ""): Promise<number> {
  const kinds = { broadcast: kind === "broadcast", megagroup: kind === "megagroup" };
  const made = await clients.bob.client.call({ _: "channels.createChannel", title, about, ...kinds });
  if (made._ !== "updates") throw new Error(made._);
  return made.chats[0]?.id ?? 0;
}
const invite = (id: number, ...people: tl.RawInputUser[]) =>
  clients.bob.client.call({ _: "channels.inviteToChannel", channel: channelOf(id), users: people });
const editTitle = (id: number, title: string) => clients.bob.client.call({ _: "channels.editTitle", channel: channelOf(id), title });
const ban = (id: number, account: string, viewMessages: boolean) =>
  clients.bob.client.call({
    _: "channels.editBanned",
    channel: channelOf(id),
    participant: { ...user(account), _: "inputPeerUser" },
    bannedRights: { _: "chatBannedRights", untilDate: 0, viewMessages },
  });

/** Returns the chat in Alice's dialog list. GramJS speaks another layer. */
async function seenByAlice(id: number): Promise<Api.TypeChat | undefined> {
  const dialogs = await clients.alice.invoke(
    new Api.messages.GetDialogs({ offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt.zero }),
  );
  if (dialogs instanceof Api.messages.DialogsNotModified) return undefined;
  return dialogs.chats.find((chat) => chat.id.toString() === String(id));
}
/** Returns the texts of a basic group in Frank's history. Service messages have no text. */
async function textsOf(id: number): Promise<string[]> {
  const none = { offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: Long.ZERO };
  const history = await clients.frank.client.call({
    _: "messages.getHistory",
    peer: { _: "inputPeerChat", chatId: id },
    limit: 10,
    ...none,
  });
  if (history._ !== "messages.messages") throw new Error(history._);
  return history.messages.flatMap((message) => (message._ === "message" ? [message.message] : []));
}
const membersOf = async (id: number): Promise<number[]> => {
  const { fullChat } = await clients.bob.client.call({ _: "messages.getFullChat", chatId: id });
  if (fullChat._ !== "chatFull" || fullChat.participants._ !== "chatParticipants") return [];
  return fullChat.participants.participants.map(({ userId }) => userId);
};

describe("a basic group", () => {
  it("is made with its members, who are told of it and write there", async () => {
    const second = await mtcuteLogin(clients.sandbox.telegram, "bob");
    const answer = await createChat("  Harbour  ", "alice", "frank", "alice");
    const users = [idOf("bob"), idOf("alice"), idOf("frank")];
    const made = { _: "messageActionChatCreate", title: "Harbour", users };
    expect(answer).toMatchObject({
      missingInvitees: [],
      updates: {
        updates: [
          { _: "updateNewMessage", message: { _: "messageService", out: true, action: made }, ptsCount: 1 },
          { _: "updateChatParticipants", participants: { participants: users.map((userId) => ({ userId })) } },
        ],
        chats: [{ _: "chat", title: "Harbour", creator: true, participantsCount: 3 }],
      },
    });
    if (answer.updates._ !== "updates") throw new Error(answer.updates._);
    expect(answer.updates.users.map(({ id }) => id).sort()).toEqual([...users].sort());
    const id = answer.updates.chats[0]?.id ?? 0;
    await expect.poll(() => actions(clients.frank, id)).toMatchObject([made]);
    await expect.poll(() => actions(second, id)).toMatchObject([made]);
    expect(actions(clients.bob, id)).toEqual([]);
    expect(await seenByAlice(id)).toMatchObject({ className: "Chat", title: "Harbour", participantsCount: 3 });
    await clients.alice.invoke(
      new Api.messages.SendMessage({
        peer: new Api.InputPeerChat({ chatId: bigInt(id) }),
        message: "ahoy",
        randomId: bigInt(Date.now()),
      }),
    );
    expect(await textsOf(id)).toEqual(["ahoy"]);
    await second.client.destroy();
  });

  it("gets another name, new members, and loses them", async () => {
    const id = await group("Dock", "frank");
    await clients.bob.client.call({ _: "messages.editChatTitle", chatId: id, title: "Pier" });
    const added = await clients.frank.client.call({ _: "messages.addChatUser", chatId: id, userId: user("alice", "frank"), fwdLimit: 10 });
    expect(added).toMatchObject({ missingInvitees: [], updates: { chats: [{ title: "Pier", participantsCount: 3, version: 2 }] } });
    expect(await membersOf(id)).toEqual([idOf("bob"), idOf("frank"), idOf("alice")]);
    expect(await seenByAlice(id)).toMatchObject({ className: "Chat", title: "Pier" });
    // Members may remove themselves and the people that they added.
    await expect(clients.frank.client.call({ _: "messages.deleteChatUser", chatId: id, userId: user("bob", "frank") })).rejects.toThrow(
      "CHAT_ADMIN_REQUIRED",
    );
    await clients.frank.client.call({ _: "messages.deleteChatUser", chatId: id, userId: user("alice", "frank") });
    expect(await seenByAlice(id)).toMatchObject({ className: "ChatForbidden" });
    const left = await clients.frank.client.call({ _: "messages.deleteChatUser", chatId: id, userId: { _: "inputUserSelf" } });
    expect(left).toMatchObject({ chats: [{ _: "chat", left: true }] });
    await expect
      .poll(() => actions(clients.bob, id))
      .toMatchObject([
        { _: "messageActionChatAddUser", users: [idOf("alice")] },
        { _: "messageActionChatDeleteUser", userId: idOf("alice") },
        { _: "messageActionChatDeleteUser", userId: idOf("frank") },
      ]);
    expect(await membersOf(id)).toEqual([idOf("bob")]);
    await expect(clients.frank.client.call({ _: "messages.editChatTitle", chatId: id, title: "Mine" })).rejects.toThrow(
      "CHAT_WRITE_FORBIDDEN",
    );
  });

  it("is over for all when its creator says so", async () => {
    const id = await group("Gone soon", "alice", "frank");
    const peer = { _: "inputPeerChat", chatId: id } as const;
    await clients.bob.client.call({ _: "messages.sendMessage", peer, message: "secret", randomId: Long.fromNumber(Date.now()) });
    await expect(clients.frank.client.call({ _: "messages.deleteChat", chatId: id })).rejects.toThrow("CHAT_ID_INVALID");
    await clients.bob.client.call({ _: "messages.deleteChatUser", revokeHistory: true, chatId: id, userId: { _: "inputUserSelf" } });
    expect(await textsOf(id)).toEqual([]);
    expect(await clients.bob.client.call({ _: "messages.deleteChat", chatId: id })).toBe(true);
    expect(await seenByAlice(id)).toMatchObject({ className: "ChatForbidden" });
    await expect.poll(() => clients.frank.pushed).toContainEqual({ _: "updateChat", chatId: id });
  });

  it("names those whose privacy forbids it, and is made without them", async () => {
    await settings("grace", { contactsInvite: true });
    await settings("heidi", { block: "bob" });
    await settings("alice", { contactsInvite: true });
    const stranger = (await clients.sandbox.control("POST", "/accounts", { platform: "telegram", account: "shy" })).body["userId"];
    await settings("shy", { contactsInvite: true });
    const answer = await clients.bob.client.call({
      _: "messages.createChat",
      title: "Some",
      users: [user("alice"), user("grace"), user("heidi"), person(Number(stranger))],
    });
    expect(answer.missingInvitees).toMatchObject([{ userId: idOf("heidi") }, { userId: Number(stranger) }]);
    if (answer.updates._ !== "updates") throw new Error(answer.updates._);
    const id = answer.updates.chats[0]?.id ?? 0;
    expect(await membersOf(id)).toEqual([idOf("bob"), idOf("alice"), idOf("grace")]);
    const again = await clients.bob.client.call({ _: "messages.addChatUser", chatId: id, userId: person(Number(stranger)), fwdLimit: 0 });
    expect(again).toMatchObject({ missingInvitees: [{ userId: Number(stranger) }], updates: { updates: [] } });
    for (const account of ["alice", "grace"]) await settings(account, { contactsInvite: false });
  });

  it("is refused where the platform refuses it", async () => {
    const id = await group("Strict", "frank");
    const add = (userId: tl.TypeInputUser) => clients.bob.client.call({ _: "messages.addChatUser", chatId: id, userId, fwdLimit: 0 });
    await expect(createChat(" ", "frank")).rejects.toThrow("CHAT_TITLE_EMPTY");
    await expect(createChat("Alone")).rejects.toThrow("USERS_TOO_FEW");
    await expect(createChat("Alone", "bob")).rejects.toThrow("USERS_TOO_FEW");
    const deleted = 6_500_000_096;
    await expect(clients.bob.client.call({ _: "messages.createChat", title: "Late", users: [person(deleted)] })).rejects.toThrow(
      "INPUT_USER_DEACTIVATED",
    );
    const crowd = Array.from({ length: 200 }, (_, n) => person(6_000_001_000 + n));
    await expect(clients.bob.client.call({ _: "messages.createChat", title: "Crowd", users: crowd })).rejects.toThrow("USERS_TOO_MUCH");
    await expect(
      clients.bob.client.call({ _: "messages.createChat", title: "Brief", users: [user("frank")], ttlPeriod: 86_400 }),
    ).rejects.toThrow("TTL_PERIOD_INVALID");
    await expect(add(user("frank"))).rejects.toThrow("USER_ALREADY_PARTICIPANT");
    await expect(add({ _: "inputUserSelf" })).rejects.toThrow("USER_ALREADY_PARTICIPANT");
    await expect(clients.bob.client.call({ _: "messages.editChatTitle", chatId: id, title: "Strict" })).rejects.toThrow(
      "CHAT_NOT_MODIFIED",
    );
    await expect(clients.bob.client.call({ _: "messages.editChatTitle", chatId: id, title: "" })).rejects.toThrow("CHAT_TITLE_EMPTY");
    await expect(clients.bob.client.call({ _: "messages.editChatTitle", chatId: 1, title: "None" })).rejects.toThrow("CHAT_ID_INVALID");
    await expect(clients.bob.client.call({ _: "messages.deleteChatUser", chatId: id, userId: user("grace") })).rejects.toThrow(
      "USER_NOT_PARTICIPANT",
    );
    await settings("bob", { block: "ivan" });
    await expect(add(user("ivan"))).rejects.toThrow("YOU_BLOCKED_USER");
    await settings("bob", { unblock: "ivan", limited: true });
    await expect(createChat("Spam", "frank")).rejects.toThrow("USER_RESTRICTED");
    await settings("bob", { limited: false });
    // A person who left may only be brought back by a mutual contact.
    await clients.frank.client.call({ _: "messages.deleteChatUser", chatId: id, userId: { _: "inputUserSelf" } });
    await expect(add(user("frank"))).rejects.toThrow("USER_NOT_MUTUAL_CONTACT");
  });
});

describe("a channel", () => {
  it("is made, invited to without a word, posted in, and left", async () => {
    const made = await clients.bob.client.call({ _: "channels.createChannel", title: "Lighthouse", about: "Every hour", broadcast: true });
    expect(made).toMatchObject({
      updates: [
        {
          _: "updateNewChannelMessage",
          message: { _: "messageService", id: 1, post: true, action: { _: "messageActionChannelCreate", title: "Lighthouse" } },
        },
        { _: "updateChannel" },
      ],
      chats: [{ _: "channel", title: "Lighthouse", creator: true, broadcast: true, left: false }],
    });
    if (made._ !== "updates") throw new Error(made._);
    const id = made.chats[0]?.id ?? 0;
    expect(await invite(id, user("alice"), user("frank"))).toMatchObject({
      missingInvitees: [],
      updates: { updates: [{ _: "updateChannel" }] },
    });
    await expect.poll(() => clients.frank.pushed).toContainEqual({ _: "updateChannel", channelId: id });
    expect(await seenByAlice(id)).toMatchObject({ className: "Channel", title: "Lighthouse", broadcast: true });
    const post = (client: MtcuteClient, account: string) =>
      client.client.call({
        _: "messages.sendMessage",
        peer: { ...channelOf(id, account), _: "inputPeerChannel" },
        message: "ten o'clock",
        randomId: Long.fromNumber(Date.now()),
      });
    await expect(post(clients.frank, "frank")).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await post(clients.bob, "bob");
    const told = () => clients.frank.pushed.flatMap((update) => (update._ === "updateNewChannelMessage" ? [update.message] : []));
    await expect.poll(told).toMatchObject([{ message: "ten o'clock" }]);
    await clients.frank.client.call({ _: "channels.leaveChannel", channel: channelOf(id, "frank") });
    const full = await clients.bob.client.call({ _: "channels.getFullChannel", channel: channelOf(id) });
    expect(full).toMatchObject({ fullChat: { about: "Every hour", participantsCount: 2 } });
    expect(actions(clients.bob, id)).toEqual([]);
    // A person who left may only be brought back by a mutual contact.
    await expect(invite(id, user("frank"))).rejects.toThrow("USER_NOT_MUTUAL_CONTACT");
  });

  it("is refused where the platform refuses it", async () => {
    await expect(channel("", "broadcast")).rejects.toThrow("CHAT_TITLE_EMPTY");
    await expect(channel("Long", "broadcast", "x".repeat(256))).rejects.toThrow("CHAT_ABOUT_TOO_LONG");
    const id = await channel("Quiet", "broadcast");
    await expect(clients.bob.client.call({ _: "channels.leaveChannel", channel: channelOf(id) })).rejects.toThrow("USER_CREATOR");
    await expect(editTitle(id, "Quiet")).rejects.toThrow("CHAT_NOT_MODIFIED");
    await expect(editTitle(id, " ")).rejects.toThrow("CHAT_TITLE_EMPTY");
    await expect(editTitle(sharedChats.dailyChannel, "Mine")).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await expect(invite(sharedChats.dailyChannel, user("frank"))).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await expect(invite(sharedChats.otherPublicGroup, user("frank"))).rejects.toThrow("CHAT_WRITE_FORBIDDEN");
    await expect(clients.bob.client.call({ _: "channels.deleteChannel", channel: channelOf(sharedChats.dailyChannel) })).rejects.toThrow(
      "CHAT_ADMIN_REQUIRED",
    );
    await expect(
      clients.frank.client.call({ _: "channels.joinChannel", channel: channelOf(id, "frank") }),
      "a private channel is joined by an invitation alone",
    ).rejects.toThrow("CHANNEL_PRIVATE");
  });
});

describe("a supergroup", () => {
  it("tells of who was brought in and thrown out, and of its new name", async () => {
    const id = await channel("Crew", "megagroup");
    await invite(id, user("alice"), user("frank"));
    await editTitle(id, "Old Crew");
    expect(await seenByAlice(id)).toMatchObject({ className: "Channel", title: "Old Crew", megagroup: true });
    const added = { _: "messageActionChatAddUser", users: [idOf("alice"), idOf("frank")] };
    const renamed = { _: "messageActionChatEditTitle", title: "Old Crew" };
    await expect.poll(() => actions(clients.frank, id)).toMatchObject([added, renamed]);
    expect(await ban(id, "frank", true)).toMatchObject({
      updates: [{ message: { action: { _: "messageActionChatDeleteUser", userId: idOf("frank") } } }, { _: "updateChannel" }],
    });
    await expect(clients.frank.client.call({ _: "channels.getFullChannel", channel: channelOf(id, "frank") })).rejects.toThrow(
      "CHANNEL_PRIVATE",
    );
    await expect(ban(id, "bob", true)).rejects.toThrow("USER_ADMIN_INVALID");
    // Only an administrator may bring back a banned person.
    const channelId = new Api.InputChannel({ channelId: bigInt(id), accessHash: bigInt(hash("alice", "channel", id).toString()) });
    const again = new Api.InputUser({ userId: bigInt(idOf("frank")), accessHash: bigInt(hash("alice", "user", idOf("frank")).toString()) });
    const byAlice = clients.alice.invoke(new Api.channels.InviteToChannel({ channel: channelId, users: [again] }));
    await expect(byAlice).rejects.toThrow("USER_KICKED");
    await ban(id, "frank", false);
    await expect(invite(id, user("frank"))).resolves.toMatchObject({ missingInvitees: [] });
    expect(await clients.frank.client.call({ _: "channels.getFullChannel", channel: channelOf(id, "frank") })).toMatchObject({
      fullChat: { participantsCount: 3 },
    });
  });

  it("is over for all when its creator says so", async () => {
    const id = await channel("Ended", "megagroup");
    await invite(id, user("alice"));
    expect(await clients.bob.client.call({ _: "channels.deleteChannel", channel: channelOf(id) })).toMatchObject({
      updates: [{ _: "updateChannel", channelId: id }],
      chats: [{ _: "channelForbidden", title: "Ended" }],
    });
    expect(await seenByAlice(id)).toBeUndefined();
  });
});

it("all of it lasts over a restart", async () => {
  const groupId = await group("Lasting", "alice", "frank");
  await clients.bob.client.call({ _: "messages.deleteChatUser", chatId: groupId, userId: user("frank") });
  await clients.bob.client.call({ _: "messages.editChatTitle", chatId: groupId, title: "Lasting on" });
  await clients.bob.client.call({ _: "messages.editChatTitle", chatId: sharedChats.familyGroup, title: "Kin" });
  const contact = person(6_000_001_000);
  const channelId = await channel("Lasting news", "broadcast", "about it");
  await invite(channelId, user("alice"), contact);
  await clients.restart();
  const chats = await clients.bob.client.call({ _: "messages.getChats", id: [groupId, sharedChats.familyGroup] });
  expect(chats.chats).toMatchObject([
    { _: "chat", title: "Lasting on", creator: true, participantsCount: 2 },
    { _: "chat", title: "Kin" },
  ]);
  expect(await membersOf(groupId)).toEqual([idOf("bob"), idOf("alice")]);
  expect(await clients.frank.client.call({ _: "messages.getChats", id: [groupId] })).toMatchObject({ chats: [{ _: "chatForbidden" }] });
  expect(await clients.bob.client.call({ _: "channels.getFullChannel", channel: channelOf(channelId) })).toMatchObject({
    fullChat: { about: "about it", participantsCount: 3 },
    chats: [{ title: "Lasting news", creator: true, broadcast: true }],
  });
  const none = { offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: Long.ZERO };
  const peer = { ...channelOf(channelId), _: "inputPeerChannel" } as const;
  expect(await clients.bob.client.call({ _: "messages.getHistory", peer, limit: 10, ...none })).toMatchObject({
    messages: [{ _: "messageService", action: { _: "messageActionChannelCreate" } }],
  });
  expect(await group("After it", "alice")).toBeGreaterThan(groupId);
});
