import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { tlChat } from "../tl/chat.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, markChannel, unixNow } from "../world/ids.js";
import { isInTooMany, sees } from "../world/made-chats.js";
import type { World } from "../world/world.js";
import { channelChanged, tellOfChannel } from "./chat-change.js";
import { checkMayReturn, invitedPeople, sortInvited } from "./invitations.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolveUser } from "./peers.js";

/** People at once, and subscribers whom a broadcast's administrators may bring in themselves. */
const maxInvited = 200;
/** Bigger ones are not ended by a call. */
const maxEnded = 1_000;
/** As later dates than a year are taken; GramJS and Telethon send it where they mean no date. */
const forever = 2 ** 31 - 1;

/** People come into channels and supergroups and leave them, by themselves or by others. */
export function membershipMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "channels.JoinChannel": {
      handle: (request: Api.channels.JoinChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        // Whoever is in stays in, with the date of the first time.
        if (!channel.joined.has(account.userId)) {
          channel.join(account.userId, unixNow());
          account.chats.add(markChannel(channel.id));
          world.changed("world");
        }
        return told(platform, account, channel, context.key);
      },
    },
    "channels.LeaveChannel": {
      handle: (request: Api.channels.LeaveChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (channel.creatorId === account.userId) throw new RpcFault(400, "USER_CREATOR");
        if (!channel.joined.has(account.userId)) throw new RpcFault(400, "USER_NOT_PARTICIPANT");
        channel.leave(account.userId);
        account.chats.delete(markChannel(channel.id));
        world.changed("world");
        return told(platform, account, channel, context.key);
      },
    },
    "channels.InviteToChannel": {
      handle: (request: Api.channels.InviteToChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!channel.joined.has(account.userId)) throw new RpcFault(403, "CHAT_WRITE_FORBIDDEN");
        if (!channel.mayChange(account.userId)) throw new RpcFault(403, "CHAT_ADMIN_REQUIRED");
        if (request.users.length > maxInvited || (channel.broadcast && channel.memberCount > maxInvited))
          throw new RpcFault(400, "USERS_TOO_MUCH");
        const people = invitedPeople(world, account, request.users).filter(({ id }) => !channel.isMember(id));
        for (const person of people) {
          checkMayEnter(world, account, channel, person.id);
          checkMayReturn(world, account, person, channel.left);
        }
        const { userIds, missing } = sortInvited(world, account, people);
        for (const userId of userIds) {
          channel.forbiddenTo.delete(userId);
          channel.join(userId, unixNow());
          sees(world, userId, markChannel(channel.id));
        }
        // A broadcast has no messages of who came.
        const action = channel.broadcast || userIds.length === 0 ? undefined : ({ kind: "added", userIds } as const);
        const updates = channelChanged(platform, { account, channel, key: context.key }, { action, userIds });
        return new Api.messages.InvitedUsers({ updates, missingInvitees: [...missing] });
      },
    },
    "channels.EditBanned": {
      handle: (request: Api.channels.EditBanned, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!channel.isAdmin(account.userId)) throw new RpcFault(403, "CHAT_ADMIN_REQUIRED");
        const { id } = resolveUser(world, account, request.participant, "PARTICIPANT_ID_INVALID");
        if (channel.isAdmin(id) && !channel.mayDismiss(account.userId, id)) throw new RpcFault(400, "USER_ADMIN_INVALID");
        const { viewMessages } = request.bannedRights;
        // Somebody is in or out here; there is nothing between, and no time.
        if (!isInOrOut(request.bannedRights)) throw new RpcFault(406, "BANNED_RIGHTS_INVALID");
        const wasIn = channel.isMember(id);
        if (viewMessages) throwOut(world, channel, id);
        else channel.forbiddenTo.delete(id);
        const action = viewMessages && wasIn && !channel.broadcast ? ({ kind: "removed", userId: id } as const) : undefined;
        return channelChanged(platform, { account, channel, key: context.key }, { action, userIds: [id] });
      },
    },
    "channels.DeleteChannel": {
      handle: (request: Api.channels.DeleteChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (channel.creatorId !== account.userId) throw new RpcFault(403, "CHAT_ADMIN_REQUIRED");
        if (channel.memberCount > maxEnded || channel.username !== undefined) throw new RpcFault(406, "CHANNEL_TOO_LARGE");
        const userIds = [...channel.joined.keys()];
        for (const userId of userIds) throwOut(world, channel, userId);
        tellOfChannel(platform, channel, userIds, context.key);
        return told(platform, account, channel, context.key);
      },
    },
  };
}

function throwOut(world: World, channel: Channel, userId: number): void {
  channel.ban(userId);
  world.accounts.ofUser(userId)?.chats.delete(markChannel(channel.id));
}

/** With `viewMessages` all else is forbidden too. */
function isInOrOut({ viewMessages, untilDate, sendMessages, sendMedia, changeInfo, inviteUsers }: Api.ChatBannedRights): boolean {
  const isPartly = [sendMessages, sendMedia, changeInfo, inviteUsers].some((right) => right === true);
  return (viewMessages === true || !isPartly) && (untilDate === 0 || untilDate === forever);
}

export function checkMayEnter(world: World, account: Account, channel: Channel, userId: number): void {
  if (account.blocked.has(userId)) throw new RpcFault(400, "USER_BLOCKED");
  if (channel.forbiddenTo.has(userId) && !channel.isAdmin(account.userId)) throw new RpcFault(400, "USER_KICKED");
  const other = world.accounts.ofUser(userId);
  if (other !== undefined && isInTooMany(world.opened(other))) throw new RpcFault(403, "USER_CHANNELS_TOO_MUCH");
}

/** The account's other devices are told as the one that did it. */
function told(platform: Platform, account: Account, channel: Channel, key: AuthKey): Api.Updates {
  const { world } = platform;
  world.changed("world");
  tellOfChannel(platform, channel, [account.userId], key);
  const updates = [new Api.UpdateChannel({ channelId: long(channel.id) })];
  return new Api.Updates({ updates, users: [], chats: [tlChat(world, account, channel)], date: unixNow(), seq: 0 });
}
