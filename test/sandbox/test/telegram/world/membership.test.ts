/**
 * Joining and leaving public channels and supergroups, with the requests of other clients: mtcute's joinChat and leaveChat, Telethon's
 * JoinChannelRequest.
 */
import { Long } from "@mtcute/core";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

let clients: TwoClients;
let alice: TelegramClient;
let bob: MtcuteClient;

beforeAll(async () => {
  clients = await TwoClients.start();
  ({ alice, bob } = clients);
});
afterAll(async () => await clients.stop());

const square = () => bobs(sharedChats.otherPublicGroup);
const bobs = (id: number) => ({ _: "inputChannel", channelId: id, accessHash: clients.bobsHash("channel", id) }) as const;
const join = (): Promise<unknown> => bob.client.call({ _: "channels.joinChannel", channel: square() });
const leave = (id: number = sharedChats.otherPublicGroup): Promise<unknown> =>
  bob.client.call({ _: "channels.leaveChannel", channel: bobs(id) });
const write = (message: string) =>
  bob.client.call({
    _: "messages.sendMessage",
    peer: { ...square(), _: "inputPeerChannel" },
    message,
    randomId: Long.fromNumber(Date.now()),
  });
async function seat(): Promise<unknown> {
  return await bob.client.call({ _: "channels.getParticipant", channel: square(), participant: { _: "inputPeerSelf" } });
}
async function lists(): Promise<boolean> {
  const dialogs = await bob.client.call({
    _: "messages.getDialogs",
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: "inputPeerEmpty" },
    limit: 100,
    hash: Long.ZERO,
  });
  if (dialogs._ !== "messages.dialogs") throw new Error(dialogs._);
  return dialogs.chats.some(({ id }) => id === sharedChats.otherPublicGroup);
}

it("makes a member who writes, is written to and has it in the list of dialogs, until it leaves", async () => {
  const second = await mtcuteLogin(clients.sandbox.telegram, "bob");
  await expect(write("not yet")).rejects.toThrow("CHAT_WRITE_FORBIDDEN");
  expect(await lists()).toBe(false);
  expect(await join()).toMatchObject({
    _: "messages.chatInviteJoinResultOk",
    updates: {
      updates: [{ _: "updateChannel", channelId: sharedChats.otherPublicGroup }],
      chats: [{ username: "sandbox_other_square", left: false }],
    },
  });
  expect(await seat()).toMatchObject({ participant: { _: "channelParticipantSelf" } });
  await join();
  await expect.poll(() => second.pushed.filter(({ _ }) => _ === "updateChannel")).toHaveLength(2);
  expect(await lists()).toBe(true);

  const peer = "sandbox_other_square";
  const inHerLayer = await alice.invoke(new Api.channels.JoinChannel({ channel: peer }));
  expect(inHerLayer.className).toBe("Updates");
  await alice.sendMessage(peer, { message: "welcome" });
  const told = () => bob.pushed.flatMap((update) => (update._ === "updateNewChannelMessage" ? [update.message] : []));
  await expect.poll(told).toMatchObject([{ message: "welcome" }]);
  await write("thanks");

  expect(await leave()).toMatchObject({ chats: [{ left: true }] });
  await expect(leave()).rejects.toThrow("USER_NOT_PARTICIPANT");
  await expect(write("too late")).rejects.toThrow("CHAT_WRITE_FORBIDDEN");
  expect(await lists()).toBe(false);
  await alice.sendMessage(peer, { message: "gone?" });
  await alice.sendMessage("alice_news", { message: "a push that comes after it" });
  await expect.poll(told).toHaveLength(2);
  expect(told()).toMatchObject([{ message: "welcome" }, { message: "a push that comes after it" }]);
  await second.client.destroy();
});

it("is refused to its creator, and lasts over a restart", async () => {
  await expect(leave(sharedChats.bobChannel)).rejects.toThrow("USER_CREATOR");
  await join();
  const before = await seat();
  await leave(sharedChats.dailyChannel);
  await clients.restart();
  ({ bob } = clients);
  expect(await seat()).toEqual(before);
  expect(await lists()).toBe(true);
  await expect(leave(sharedChats.dailyChannel)).rejects.toThrow("USER_NOT_PARTICIPANT");
});
