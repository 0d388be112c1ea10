/**
 * Requests of other clients that GramJS's adapter never sends: mtcute's getPeerDialogs, addContact, saveDraft, archiveChats,
 * sendStoryReaction and others, and TDLib's view counts. Errors by Telethon's telethon_generator/data/methods.csv.
 */
import { Long, type tl } from "@mtcute/core";
import bigInt from "big-integer";
import sharp from "sharp";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

let clients: TwoClients;
let alice: TelegramClient;
let bob: MtcuteClient;
let second: MtcuteClient;

beforeAll(async () => {
  clients = await TwoClients.start();
  ({ alice, bob } = clients);
  second = await mtcuteLogin(clients.sandbox.telegram, "bob");
});
afterAll(async () => {
  await second.client.destroy();
  await clients.stop();
});

const idOf = (account: string): number => clients.sandbox.telegram.world.accounts.get(account)?.userId ?? 0;
const user = (id: number): tl.RawInputUser => ({ _: "inputUser", userId: id, accessHash: clients.bobsHash("user", id) });
const peer = (account: string): tl.RawInputPeerUser => ({ ...user(idOf(account)), _: "inputPeerUser" });
const channel = (id: number): tl.RawInputPeerChannel => ({
  _: "inputPeerChannel",
  channelId: id,
  accessHash: clients.bobsHash("channel", id),
});
const peerDialogs = (...peers: tl.TypeInputPeer[]) =>
  bob.client.call({ _: "messages.getPeerDialogs", peers: peers.map((one) => ({ _: "inputDialogPeer", peer: one })) });
const folder = (one: tl.TypeInputPeer, folderId: number) =>
  bob.client.call({ _: "folders.editPeerFolders", folderPeers: [{ _: "inputFolderPeer", peer: one, folderId }] });
const draft = (message: string, more: { readonly replyTo?: tl.TypeInputReplyTo } = {}) =>
  bob.client.call({ _: "messages.saveDraft", peer: peer("alice"), message, ...more });
/** Restarts the sandbox. Bob then uses a new connection, and all state is kept. */
async function restarted(): Promise<void> {
  await second.client.destroy();
  await clients.restart();
  ({ bob } = clients);
  second = await mtcuteLogin(clients.sandbox.telegram, "bob");
}

it("single chats of the list, whatever they are, with their newest messages and the place in the updates", async () => {
  const group: tl.RawInputPeerChat = { _: "inputPeerChat", chatId: sharedChats.familyGroup };
  const found = await peerDialogs(peer("alice"), group, channel(sharedChats.bobChannel), peer("alice"));
  const state = await bob.client.call({ _: "updates.getState" });
  expect(found.dialogs.map((one) => (one._ === "dialog" ? one.peer : one._))).toEqual([
    { _: "peerUser", userId: idOf("alice") },
    { _: "peerChat", chatId: sharedChats.familyGroup },
    { _: "peerChannel", channelId: sharedChats.bobChannel },
  ]);
  expect(found.messages.map(({ id }) => id)).toEqual(found.dialogs.map((one) => (one._ === "dialog" ? one.topMessage : 0)));
  expect(found.chats.map(({ id }) => id)).toEqual([sharedChats.familyGroup, sharedChats.bobChannel]);
  expect(found.state.pts).toBe(state.pts);
  await expect(peerDialogs({ ...peer("alice"), accessHash: Long.ONE })).rejects.toThrow("PEER_ID_INVALID");
  await expect(peerDialogs(...Array.from({ length: 101 }, () => peer("alice")))).rejects.toThrow("LIMIT_INVALID");
  await expect(bob.client.call({ _: "messages.getPeerDialogs", peers: [{ _: "inputDialogPeerFolder", folderId: 1 }] })).rejects.toThrow(
    "PEER_ID_INVALID",
  );
});

it("a post's views, which grow by each account that looks", async () => {
  const { id } = await alice.sendMessage("alice_news", { message: "read all about it" });
  const views = async (increment: boolean): Promise<tl.TypeMessageViews[]> =>
    (await bob.client.call({ _: "messages.getMessagesViews", peer: channel(sharedChats.aliceChannel), id: [id, 9_999_999], increment }))
      .views;
  const [before, none] = await views(false);
  expect(none).toMatchObject({ _: "messageViews" });
  expect(none?.views).toBeUndefined();
  const [first] = await views(true);
  const [again] = await views(true);
  expect([first?.views, again?.views]).toEqual([(before?.views ?? 0) + 1, (before?.views ?? 0) + 1]);
  const [shown] = await alice.getMessages("alice_news", { ids: id });
  expect(shown?.views).toBe(again?.views);
});

it("a contact under a name of one's own, which its other devices learn, until it is deleted", async () => {
  const stranger = 6_500_000_003;
  const add = (firstName: string, id: tl.TypeInputUser = user(stranger)) =>
    bob.client.call({
      _: "contacts.addContact",
      id,
      firstName,
      lastName: "Plumber",
      phone: "",
      note: { _: "textWithEntities", text: "leak", entities: [] },
    });
  const contacts = async (): Promise<tl.TypeUser[]> => {
    const answer = await bob.client.call({ _: "contacts.getContacts", hash: Long.ZERO });
    return answer._ === "contacts.contacts" ? answer.users.filter(({ id }) => id === stranger) : [];
  };
  await expect(add(" ")).rejects.toThrow("CONTACT_NAME_EMPTY");
  await expect(add("Me", { _: "inputUserSelf" })).rejects.toThrow("CONTACT_ID_INVALID");
  const named = { _: "user", id: stranger, contact: true, firstName: "Joe", lastName: "Plumber" };
  expect(await add("Joe")).toMatchObject({ updates: [{ _: "updatePeerSettings" }], users: [named] });
  expect(await contacts()).toMatchObject([named]);
  await expect.poll(() => second.pushed.filter(({ _ }) => _ === "updatePeerSettings")).toHaveLength(1);
  await restarted();
  expect(await contacts()).toMatchObject([named]);
  const gone = await bob.client.call({ _: "contacts.deleteContacts", id: [user(stranger)] });
  expect(gone).toMatchObject({ users: [{ id: stranger, contact: false }] });
  expect(gone._ === "updates" && gone.users[0]).not.toMatchObject({ firstName: "Joe" });
  expect(await contacts()).toEqual([]);
});

it("a draft, shown on the other devices and in the list of chats, until it is sent or emptied", async () => {
  await draft("dear al");
  const update = (pushed: readonly tl.TypeUpdate[]) => pushed.flatMap((one) => (one._ === "updateDraftMessage" ? [one.draft] : []));
  await expect.poll(() => update(second.pushed)).toMatchObject([{ _: "draftMessage", message: "dear al" }]);
  const kept = async () => (await peerDialogs(peer("alice"))).dialogs.map((one) => (one._ === "dialog" ? one.draft : undefined));
  expect(await kept()).toMatchObject([{ message: "dear al" }]);
  await restarted();
  expect(await kept()).toMatchObject([{ message: "dear al" }]);
  await bob.client.call({
    _: "messages.sendMessage",
    peer: peer("alice"),
    message: "dear Alice",
    clearDraft: true,
    randomId: Long.fromNumber(Date.now()),
  });
  expect(await kept()).toEqual([undefined]);
  await draft("once more", { replyTo: { _: "inputReplyToMessage", replyToMsgId: 1 } });
  const all = await bob.client.call({ _: "messages.getAllDrafts" });
  expect(all).toMatchObject({ updates: [{ draft: { message: "once more", replyTo: { replyToMsgId: 1 } } }] });
  await draft("");
  expect(await kept()).toEqual([undefined]);
  await draft("the last");
  expect(await bob.client.call({ _: "messages.clearAllDrafts" })).toBe(true);
  expect(await kept()).toEqual([undefined]);
});

it("chats in the archive and out of it, counted among the updates", async () => {
  const { pts } = await bob.client.call({ _: "updates.getState" });
  const folders = async () => (await peerDialogs(peer("alice"))).dialogs.map((one) => (one._ === "dialog" ? one.folderId : undefined));
  const folderPeers = [{ _: "folderPeer", peer: { _: "peerUser", userId: idOf("alice") }, folderId: 1 }];
  expect(await folder(peer("alice"), 1)).toMatchObject({ updates: [{ _: "updateFolderPeers", folderPeers, pts: pts + 1, ptsCount: 1 }] });
  await expect.poll(() => second.pushed).toContainEqual({ _: "updateFolderPeers", folderPeers, pts: pts + 1, ptsCount: 1 });
  expect(await folders()).toEqual([1]);
  const missed = await bob.client.call({ _: "updates.getDifference", pts, date: 1, qts: 0 });
  expect(missed).toMatchObject({ _: "updates.difference", otherUpdates: [{ _: "updateFolderPeers", folderPeers }] });
  await restarted();
  expect(await folders()).toEqual([1]);
  await folder(peer("alice"), 0);
  expect((await folders())[0] ?? 0).toBe(0);
  await expect(folder(peer("alice"), 2)).rejects.toThrow("FOLDER_ID_INVALID");
});

it("a reaction to a story, told to its author and taken back", async () => {
  // The restarts before have disconnected Alice's client.
  alice = await clients.sandbox.loggedIn("alice");
  const told: Api.UpdateNewStoryReaction[] = [];
  alice.addEventHandler((update: unknown) => {
    if (update instanceof Api.UpdateNewStoryReaction) told.push(update);
  });
  const bytes = await sharp({ create: { width: 540, height: 960, channels: 3, background: "#369" } })
    .jpeg()
    .toBuffer();
  const fileId = bigInt(Date.now());
  await alice.invoke(new Api.upload.SaveFilePart({ fileId, filePart: 0, bytes }));
  const file = new Api.InputFile({ id: fileId, parts: 1, name: "story.jpg", md5Checksum: "" });
  const posted = await alice.invoke(
    new Api.stories.SendStory({
      peer: new Api.InputPeerSelf(),
      media: new Api.InputMediaUploadedPhoto({ file }),
      privacyRules: [new Api.InputPrivacyValueAllowContacts()],
      randomId: bigInt(Date.now()),
    }),
  );
  if (!(posted instanceof Api.Updates)) throw new Error(posted.className);
  const storyId = posted.updates.flatMap((one) => (one instanceof Api.UpdateStoryID ? [one.id] : []))[0] ?? 0;
  const react = (emoticon: string, id = storyId) =>
    bob.client.call({
      _: "stories.sendReaction",
      peer: peer("alice"),
      storyId: id,
      reaction: emoticon === "" ? { _: "reactionEmpty" } : { _: "reactionEmoji", emoticon },
    });
  const reaction = { _: "reactionEmoji", emoticon: "🔥" };
  expect(await react("🔥")).toMatchObject({ updates: [{ _: "updateSentStoryReaction", storyId, reaction }] });
  await expect.poll(() => told.map(({ storyId: id, reaction: one }) => [id, one.className])).toEqual([[storyId, "ReactionEmoji"]]);
  const seen = async () => (await bob.client.call({ _: "stories.getStoriesByID", peer: peer("alice"), id: [storyId] })).stories;
  expect(await seen()).toMatchObject([{ _: "storyItem", sentReaction: reaction }]);
  const list = () => alice.invoke(new Api.stories.GetStoryViewsList({ peer: new Api.InputPeerSelf(), id: storyId, offset: "", limit: 10 }));
  expect(await list()).toMatchObject({ reactionsCount: 1, views: [{ reaction: { emoticon: "🔥" } }] });
  await react("");
  expect(await list()).toMatchObject({ reactionsCount: 0, viewsCount: 1 });
  await expect(react("🔥", 9_999)).rejects.toThrow("STORY_ID_INVALID");
});
