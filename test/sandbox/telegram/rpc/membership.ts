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

/** Limit of people per call, and of a broadcast's size up to which administrators may add subscribers. */
const maxInvited = 200;
/** Channels with more members cannot be deleted by a call. */
const maxEnded = 1_000;
/** Dates after a year count as "for ever"; GramJS and Telethon send this one for no date. */
const forever = 2 ** 31 - 1;

/** Methods for joining and leaving channels and supergroups, and for adding and removing people. */
export function membershipMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "channels.JoinChannel": {
      handle: (request: Api.channels.JoinChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        // A member stays a member, with the first join date.
        if (!channel.joined.has(account.userId)) {
          if (channel.joinRequest) throw new RpcFault(400, "INVITE_REQUEST_SENT");
          if (isInTooMany(account)) throw new RpcFault(400, "CHANNELS_TOO_MUCH");
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
        if (!channel.mayChange(account.userId, "inviteUsers")) throw new RpcFault(403, "CHAT_ADMIN_REQUIRED");
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
        // A broadcast has no service messages about new members.
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
        // Bans are complete and permanent here: partial or timed restrictions are rejected.
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

/** `viewMessages` implies all other restrictions. */
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

/** Returns the updates for the acting device, and pushes them to the account's other devices. */
function told(platform: Platform, account: Account, channel: Channel, key: AuthKey): Api.Updates {
  const { world } = platform;
  world.changed("world");
  tellOfChannel(platform, channel, [account.userId], key);
  const updates = [new Api.UpdateChannel({ channelId: long(channel.id) })];
  return new Api.Updates({ updates, users: [], chats: [tlChat(world, account, channel)], date: unixNow(), seq: 0 });
}
