import type { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { AdminRights, Channel } from "../world/chat.js";
import type { Account } from "../world/account.js";
import { markChannel, unixNow } from "../world/ids.js";
import { sees } from "../world/made-chats.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { channelChanged, tellMembers } from "./chat-change.js";
import { checkMayReturn, sortInvited } from "./invitations.js";
import { checkMayEnter } from "./membership.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolveOwnGroup, resolveUser } from "./peers.js";

/** Characters. */
const maxRank = 16;
const rightNames = [
  ...["changeInfo", "postMessages", "editMessages", "deleteMessages", "banUsers", "inviteUsers", "pinMessages", "anonymous"],
  ...["addAdmins", "manageCall", "other", "manageTopics", "postStories", "editStories", "deleteStories"],
];

/** Creators appoint administrators. So may an administrator with that right, but only with rights of their own. */
export function administratorMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "channels.EditAdmin": {
      handle: (request: Api.channels.EditAdmin, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!channel.isAdmin(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        const given = rightNames.filter((name) => Reflect.get(request.adminRights, name) === true);
        const own = channel.creatorId === account.userId ? rightNames : (channel.admins.get(account.userId)?.given ?? []);
        if (!own.includes("addAdmins") || given.some((name) => !own.includes(name))) throw new RpcFault(403, "RIGHT_FORBIDDEN");
        const person = resolveUser(world, account, request.userId);
        if (person.id === channel.creatorId) throw new RpcFault(400, "USER_CREATOR");
        if (channel.isAdmin(person.id) && !channel.mayDismiss(account.userId, person.id)) throw new RpcFault(403, "RIGHT_FORBIDDEN");
        const rights = rightsOf(given, checkedRank(request.rank) ?? channel.admins.get(person.id)?.rank, account.userId);
        if (rights !== undefined && !channel.isMember(person.id)) bringIn(world, account, channel, person);
        channel.appoint(person.id, rights);
        return channelChanged(platform, { account, channel, key: context.key }, { userIds: [person.id] });
      },
    },
    "messages.EditChatAdmin": {
      handle: (request: Api.messages.EditChatAdmin, context) => {
        const account = callerOf(world, context);
        const group = resolveOwnGroup(world, account, request.chatId);
        if (group.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ID_INVALID");
        const { id } = resolveUser(world, account, request.userId);
        if (id === account.userId) throw new RpcFault(400, "USER_ID_INVALID");
        if (!group.members.has(id)) throw new RpcFault(400, "USER_NOT_PARTICIPANT");
        if (request.isAdmin) group.admins.add(id);
        else group.admins.delete(id);
        group.version++;
        group.changed = true;
        world.changed("world");
        tellMembers(platform, group, context.key);
        return true;
      },
    },
  };
}

/** An empty list demotes an administrator to a member. */
function rightsOf(given: readonly string[], rank: string | undefined, by: number): AdminRights | undefined {
  if (given.length === 0) return undefined;
  return { postMessages: given.includes("postMessages"), given, by, ...(rank && { rank }) };
}

/** In later layers an omitted rank stays unchanged. */
function checkedRank(rank: string | undefined): string | undefined {
  if ([...(rank ?? "")].length > maxRank) throw new RpcFault(400, "ADMIN_RANK_INVALID");
  if (/\p{Extended_Pictographic}/u.test(rank ?? "")) throw new RpcFault(400, "ADMIN_RANK_EMOJI_NOT_ALLOWED");
  return rank;
}

/** Adds the appointed person to the channel. */
function bringIn(world: World, account: Account, channel: Channel, person: Person): void {
  checkMayEnter(world, account, channel, person.id);
  checkMayReturn(world, account, person, channel.left);
  if (sortInvited(world, account, [person]).missing.length > 0) throw new RpcFault(403, "USER_PRIVACY_RESTRICTED");
  channel.forbiddenTo.delete(person.id);
  channel.join(person.id, unixNow());
  sees(world, person.id, markChannel(channel.id));
}
