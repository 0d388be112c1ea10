/**
 * Invite links, with mtcute's requests (methods/invite-links, methods/chats/join-chat.ts) and GramJS in its layer. Errors by
 * core.telegram.org/method/messages.importChatInvite and Telethon's telethon_generator/data/methods.csv.
 */
import { Long, type tl } from "@mtcute/core";
import { Api } from "telegram";
import { describe, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { mtcuteLogin } from "./mtcute-client.js";
import { actions, threeClients } from "./three-clients.js";

const clients = threeClients();
const { idOf, user, channelOf } = clients;
const group = (chatId: number): tl.RawInputPeerChat => ({ _: "inputPeerChat", chatId });
const channel = (channelId: number, seenBy = "bob"): tl.RawInputPeerChannel => ({ ...channelOf(channelId, seenBy), _: "inputPeerChannel" });
const endOf = (link: string): string => /^https:\/\/t\.me\/\+([\w-]{16})$/.exec(link)?.[1] ?? "";

async function madeGroup(title: string): Promise<number> {
  const { updates } = await clients.bob.client.call({ _: "messages.createChat", title, users: [user("alice")] });
  if (updates._ !== "updates") throw new Error(updates._);
  return updates.chats[0]?.id ?? 0;
}
async function madeChannel(title: string, kind: "broadcast" | "megagroup"): Promise<number> {
  const kinds = { broadcast: kind === "broadcast", megagroup: kind === "megagroup" };
  const made = await clients.bob.client.call({ _: "channels.createChannel", title, about: "About it", ...kinds });
  if (made._ !== "updates") throw new Error(made._);
  return made.chats[0]?.id ?? 0;
}
async function exported(
  peer: tl.TypeInputPeer,
  more: Partial<tl.messages.RawExportChatInviteRequest> = {},
  by = clients.bob,
): Promise<tl.RawChatInviteExported> {
  const invite = await by.client.call({ _: "messages.exportChatInvite", peer, ...more });
  if (invite._ !== "chatInviteExported") throw new Error(invite._);
  return invite;
}
const check = (link: string, by = clients.frank) => by.client.call({ _: "messages.checkChatInvite", hash: endOf(link) });
const enter = (link: string, by = clients.frank) => by.client.call({ _: "messages.importChatInvite", hash: endOf(link) });
const list = (peer: tl.TypeInputPeer, more: Partial<tl.messages.RawGetExportedChatInvitesRequest> = {}) =>
  clients.bob.client.call({ _: "messages.getExportedChatInvites", peer, adminId: { _: "inputUserSelf" }, limit: 100, ...more });
const edit = (peer: tl.TypeInputPeer, link: string, more: Partial<tl.messages.RawEditExportedChatInviteRequest>, by = clients.bob) =>
  by.client.call({ _: "messages.editExportedChatInvite", peer, link, ...more });

describe("a link into a basic group", () => {
  it("shows where it leads, lets in whoever has it, and the group tells who came by whose", async () => {
    const id = await madeGroup("Book club");
    const { link, permanent, adminId } = await exported(group(id), { legacyRevokePermanent: true });
    expect([endOf(link).length, permanent, adminId]).toEqual([16, true, idOf("bob")]);
    expect(await check(link)).toMatchObject({ _: "chatInvite", title: "Book club", participantsCount: 2, channel: false });
    expect(await enter(link)).toMatchObject({
      _: "messages.chatInviteJoinResultOk",
      updates: {
        updates: [{ _: "updateNewMessage", message: { action: { _: "messageActionChatJoinedByLink", inviterId: idOf("bob") } } }, {}],
        chats: [{ _: "chat", title: "Book club", participantsCount: 3 }],
      },
    });
    await expect.poll(() => actions(clients.bob, id)).toMatchObject([{ _: "messageActionChatJoinedByLink", inviterId: idOf("bob") }]);
    expect(await check(link)).toMatchObject({ _: "chatInviteAlready", chat: { id } });
    await expect(enter(link)).rejects.toThrow("USER_ALREADY_PARTICIPANT");
    await clients.frank.client.call({
      _: "messages.sendMessage",
      peer: group(id),
      message: "hello",
      randomId: Long.fromNumber(Date.now()),
    });
    const importers = await clients.bob.client.call({
      ...{ _: "messages.getChatInviteImporters", peer: group(id), link, offsetDate: 0, offsetUser: { _: "inputUserEmpty" }, limit: 10 },
    } as const);
    expect(importers).toMatchObject({ count: 1, importers: [{ userId: idOf("frank") }], users: [{ id: idOf("frank") }] });
    expect(await clients.bob.client.call({ _: "messages.getFullChat", chatId: id })).toMatchObject({
      fullChat: { exportedInvite: { link, usage: 1 } },
    });
    // For a banned person, the link is expired.
    await clients.bob.client.call({ _: "messages.deleteChatUser", chatId: id, userId: user("frank") });
    await expect(check(link)).rejects.toThrow("INVITE_HASH_EXPIRED");
    await expect(enter(link)).rejects.toThrow("INVITE_HASH_EXPIRED");
  });
});

describe.each(["megagroup", "broadcast"] as const)("a link into a private %s", (kind) => {
  it("lets in whoever has it, in every client's layer, and says so where there is somebody to read it", async () => {
    const id = await madeChannel(`Private ${kind}`, kind);
    const { link } = await exported(channel(id));
    expect(await check(link)).toMatchObject({
      title: `Private ${kind}`,
      about: "About it",
      [kind]: true,
      channel: true,
      participantsCount: 1,
    });
    expect(await enter(link)).toMatchObject({ updates: { chats: [{ _: "channel", title: `Private ${kind}`, left: false }] } });
    const inHerLayer = await clients.alice.invoke(new Api.messages.ImportChatInvite({ hash: endOf(link) }));
    expect(inHerLayer).toMatchObject({ className: "Updates", chats: [{ title: `Private ${kind}` }] });
    const said = { _: "messageActionChatJoinedByLink", inviterId: idOf("bob") };
    await clients.bob.client.call({
      _: "messages.sendMessage",
      peer: channel(id),
      message: "welcome",
      randomId: Long.fromNumber(Date.now()),
    });
    const texts = () =>
      clients.frank.pushed.flatMap((update) =>
        update._ === "updateNewChannelMessage" && update.message._ === "message" ? [update.message.message] : [],
      );
    await expect.poll(texts).toContain("welcome");
    expect(actions(clients.bob, id)).toMatchObject(kind === "megagroup" ? [said, said] : []);
    expect(await clients.alice.invoke(new Api.messages.CheckChatInvite({ hash: endOf(link) }))).toMatchObject({
      className: "ChatInviteAlready",
    });
    await expect(exported(channel(id, "frank"), {}, clients.frank)).rejects.toThrow("CHAT_ADMIN_REQUIRED");
  });
});

describe("an administrator's links", () => {
  it("are listed, the own one first, which is there without having been made", async () => {
    const peer = channel(await madeChannel("Many links", "megagroup"));
    const first = await list(peer, { limit: 1 });
    expect(first).toMatchObject({ count: 1, invites: [{ permanent: true }], users: [{ id: idOf("bob") }] });
    const [one, two] = [await exported(peer, { title: "One" }), await exported(peer, { title: "Two", usageLimit: 1 })];
    const all = await list(peer);
    expect(all).toMatchObject({ count: 3, invites: [{ permanent: true }, { title: "Two", usageLimit: 1 }, { title: "One" }] });
    const rest = await list(peer, { limit: 1, offsetDate: two.date, offsetLink: two.link });
    expect(rest).toMatchObject({ count: 3, invites: [{ link: one.link }] });
    expect(await clients.bob.client.call({ _: "messages.getExportedChatInvite", peer, link: one.link })).toMatchObject({
      invite: { title: "One" },
    });
    expect(await clients.bob.client.call({ _: "messages.getAdminsWithInvites", peer })).toMatchObject({
      admins: [{ adminId: idOf("bob"), invitesCount: 3, revokedInvitesCount: 0 }],
    });
  });

  it("have an end, by count and by date, that can be moved", async () => {
    const peer = channel(await madeChannel("Ends", "megagroup"));
    const now = Math.floor(Date.now() / 1_000);
    await expect(exported(peer, { expireDate: now - 5 })).rejects.toThrow("EXPIRE_DATE_INVALID");
    await expect(exported(peer, { usageLimit: 100_000 })).rejects.toThrow("USAGE_LIMIT_INVALID");
    const { link } = await exported(peer, { usageLimit: 1, expireDate: now + 3_600 });
    await enter(link);
    await expect(clients.alice.invoke(new Api.messages.ImportChatInvite({ hash: endOf(link) }))).rejects.toThrow("INVITE_HASH_EXPIRED");
    expect(await edit(peer, link, { usageLimit: 0, title: "Open" })).toMatchObject({
      invite: { title: "Open", usageLimit: undefined, expireDate: now + 3_600, usage: 1 },
    });
    expect(await clients.alice.invoke(new Api.messages.ImportChatInvite({ hash: endOf(link) }))).toMatchObject({ className: "Updates" });
  });

  it("are revoked, each for good, and the own one is replaced", async () => {
    const peer = channel(await madeChannel("Revoked", "megagroup"));
    const own = await exported(peer, { legacyRevokePermanent: true });
    const other = await exported(peer, {});
    expect(await edit(peer, other.link, { revoked: true })).toMatchObject({ _: "messages.exportedChatInvite", invite: { revoked: true } });
    await expect(edit(peer, own.link, { usageLimit: 5 })).rejects.toThrow("CHAT_INVITE_PERMANENT");
    const replaced = await edit(peer, own.link, { revoked: true });
    if (replaced._ !== "messages.exportedChatInviteReplaced") throw new Error(replaced._);
    expect(replaced).toMatchObject({ invite: { revoked: true, link: own.link }, newInvite: { permanent: true } });
    for (const { link } of [own, other]) await expect(enter(link)).rejects.toThrow("INVITE_HASH_EXPIRED");
    await expect(edit(peer, own.link, { revoked: true })).rejects.toThrow("INVITE_HASH_EXPIRED");
    const third = await exported(peer, { legacyRevokePermanent: true });
    expect(await list(peer)).toMatchObject({ count: 1, invites: [{ link: third.link }] });
    expect(await list(peer, { revoked: true })).toMatchObject({ count: 3 });
    await expect(clients.bob.client.call({ _: "messages.deleteExportedChatInvite", peer, link: third.link })).rejects.toThrow(
      "INVITE_REVOKED_MISSING",
    );
    await clients.bob.client.call({ _: "messages.deleteExportedChatInvite", peer, link: other.link });
    expect(await list(peer, { revoked: true })).toMatchObject({ count: 2 });
    await clients.bob.client.call({ _: "messages.deleteRevokedExportedChatInvites", peer, adminId: { _: "inputUserSelf" } });
    expect(await list(peer, { revoked: true })).toMatchObject({ count: 0 });
    expect(await enter(third.link)).toMatchObject({ _: "messages.chatInviteJoinResultOk" });
  });

  it("are refused where the platform refuses them", async () => {
    for (const [wanted, error] of [
      ["", "INVITE_HASH_EMPTY"],
      ["no hash", "INVITE_HASH_INVALID"],
      ["AAAAAAAAAAAAAAAA", "INVITE_HASH_EXPIRED"],
    ] as const) {
      await expect(clients.frank.client.call({ _: "messages.checkChatInvite", hash: wanted })).rejects.toThrow(error);
      await expect(clients.frank.client.call({ _: "messages.importChatInvite", hash: wanted })).rejects.toThrow(error);
    }
    await expect(exported(channel(sharedChats.dailyChannel))).rejects.toThrow("CHAT_ADMIN_REQUIRED");
    await expect(exported({ _: "inputPeerSelf" })).rejects.toThrow("PEER_ID_INVALID");
    const peer = channel(await madeChannel("Nobody is asked", "megagroup"));
    await expect(exported(peer, { requestNeeded: true })).rejects.toThrow("CHAT_INVALID");
    await expect(edit(peer, "https://t.me/+AAAAAAAAAAAAAAAA", { revoked: true })).rejects.toThrow("INVITE_HASH_EXPIRED");
  });
});

it("all of it lasts over a restart", async () => {
  const id = await madeChannel("Lasting links", "megagroup");
  const { link } = await exported(channel(id), { legacyRevokePermanent: true });
  const old = await exported(channel(id), { title: "Old" });
  await edit(channel(id), old.link, { revoked: true });
  await enter(link);
  await clients.restart();
  const ivan = await mtcuteLogin(clients.sandbox.telegram, "ivan");
  expect(await list(channel(id))).toMatchObject({ count: 1, invites: [{ link, usage: 1 }] });
  await expect(enter(old.link, ivan)).rejects.toThrow("INVITE_HASH_EXPIRED");
  expect(await check(link)).toMatchObject({ _: "chatInviteAlready", chat: { id } });
  expect(await check(link, ivan)).toMatchObject({ _: "chatInvite", participantsCount: 2 });
  expect(await enter(link, ivan)).toMatchObject({ updates: { chats: [{ id, left: false }] } });
  await ivan.client.destroy();
});
