import { Api } from "telegram";
import type { AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlChat } from "../tl/chat.js";
import { tlGroupMembers } from "../tl/group-members.js";
import type { Account } from "../world/account.js";
import type { BasicGroup, Channel } from "../world/chat.js";
import { long, markChannel, markChat, unixNow } from "../world/ids.js";
import type { ServiceAction } from "../world/service-action.js";
import type { Platform } from "./method.js";
import { sentUpdates } from "./send-message.js";

/** Writes a service message into a basic group, pushes the new member list, and returns the updates for the acting device. */
export function groupChanged(
  platform: Platform,
  { account, group, key }: { readonly account: Account; readonly group: BasicGroup; readonly key: AuthKey },
  action: ServiceAction,
  audience: readonly number[] = [...group.members.keys()],
): Api.Updates {
  const { world, delivery } = platform;
  group.changed = true;
  const message = delivery.send(account, markChat(group.id), { text: "", action, audience }, key);
  if (memberless.has(action.kind)) return sentUpdates(world, account, markChat(group.id), [{ message }]);
  tellMembers(platform, group, key);
  const told = membersOf(platform, account, group);
  const answer = sentUpdates(world, account, markChat(group.id), [{ message }], told.updates);
  answer.users = told.users;
  return answer;
}

/** Changes that leave the members as they are. */
const memberless: ReadonlySet<ServiceAction["kind"]> = new Set(["renamed", "photo-set", "photo-removed", "timer-set"]);

/** Writes a service message into a channel or supergroup that shows it, and notifies the affected users. */
export function channelChanged(
  platform: Platform,
  { account, channel, key }: { readonly account: Account; readonly channel: Channel; readonly key: AuthKey },
  { action, userIds }: { readonly action?: ServiceAction | undefined; readonly userIds: readonly number[] },
): Api.Updates {
  const { world, delivery } = platform;
  world.changed("world");
  const peer = markChannel(channel.id);
  const sent = action === undefined ? [] : [{ message: delivery.send(account, peer, { text: "", action }, key) }];
  tellOfChannel(platform, channel, userIds, key);
  return sentUpdates(world, account, peer, sent, [new Api.UpdateChannel({ channelId: long(channel.id) })]);
}

/** Pushes the group's member list to its members. */
export function tellMembers(platform: Platform, group: BasicGroup, key: AuthKey): void {
  pushTo(platform, group.members.keys(), (member) => membersOf(platform, member, group), key);
}

/** Pushes a channel's new state to users who joined, left or see a new name. */
export function tellOfChannel(platform: Platform, channel: Channel, userIds: readonly number[], key: AuthKey): void {
  tellOf(platform, channel, new Api.UpdateChannel({ channelId: long(channel.id) }), userIds, key);
}

/** Pushes to users that the group has ended for them. */
export function tellOfGroup(platform: Platform, group: BasicGroup, userIds: readonly number[], key: AuthKey): void {
  tellOf(platform, group, new Api.UpdateChat({ chatId: long(group.id) }), userIds, key);
}

/** Pushes a chat's new state, as each of the users sees it. */
function tellOf(platform: Platform, chat: BasicGroup | Channel, update: Api.TypeUpdate, userIds: readonly number[], key: AuthKey): void {
  const { world } = platform;
  const packet = (member: Account): Api.Updates =>
    new Api.Updates({ updates: [update], users: [], chats: [tlChat(world, member, chat)], date: unixNow(), seq: 0 });
  pushTo(platform, userIds, packet, key);
}

/** Pushes to all devices of the users except the acting one. */
function pushTo({ world, delivery }: Platform, userIds: Iterable<number>, packet: (member: Account) => Api.Updates, key: AuthKey): void {
  for (const userId of userIds) {
    const member = world.accounts.ofUser(userId);
    if (member !== undefined) delivery.pushes.pushFleeting(member, () => packet(member), key);
  }
}

function membersOf({ world }: Platform, viewer: Account, group: BasicGroup): Api.Updates {
  const cast = [...group.members.keys(), viewer.userId].reduce((all, id) => all.user(id), new Cast(world, viewer).peer(markChat(group.id)));
  const updates = [new Api.UpdateChatParticipants({ participants: tlGroupMembers(group) })];
  return new Api.Updates({ updates, users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
}
