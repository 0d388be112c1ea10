import type { Account } from "./account.js";
import { basicGroup, Channel, type BasicGroup, type ChannelKind } from "./chat.js";
import { markChannel, markChat, unixNow, unmark } from "./ids.js";
import type { World } from "./world.js";

/** Above the ids of all stock chats. */
const groupBase = 4_600_000_000;
const channelBase = 2_900_000_000;
/** Chats per kind: a sandbox that runs tests for days must not grow without limit. */
const maxMade = 5_000;
/** The platform's limit for accounts without premium. */
const maxChannels = 500;

/** Returns `undefined` if there are too many groups. */
export function makeGroup(world: World, creator: Account, title: string, userIds: readonly number[]): BasicGroup | undefined {
  const id = world.chats.nextId("group", groupBase);
  if (id > groupBase + maxMade) return undefined;
  const date = unixNow();
  const members = new Map([creator.userId, ...userIds].map((userId) => [userId, date]));
  const group = basicGroup({ id, title, date, creatorId: creator.userId, hasPhoto: false, members });
  group.changed = true;
  world.chats.addGroup(group);
  for (const userId of members.keys()) sees(world, userId, markChat(id));
  return group;
}

/** Returns `undefined` if there are too many channels. */
export function makeChannel(world: World, creator: Account, type: ChannelKind, title: string, about: string): Channel | undefined {
  const id = world.chats.nextId("channel", channelBase);
  if (id > channelBase + maxMade) return undefined;
  const date = unixNow();
  const channel = new Channel({ id, type, title, about, date, creatorId: creator.userId, hasPhoto: false });
  channel.changed = true;
  world.chats.addChannel(channel);
  channel.join(creator.userId, date);
  sees(world, creator.userId, markChannel(id));
  return channel;
}

/** Adds the chat to the person's dialog list, if the person has an account. */
export function sees(world: World, userId: number, marked: number): void {
  const account = world.accounts.ofUser(userId);
  if (account !== undefined) world.opened(account).chats.add(marked);
}

export function isInTooMany({ chats }: Account): boolean {
  return [...chats].filter((marked) => unmark(marked).kind === "channel").length >= maxChannels;
}
