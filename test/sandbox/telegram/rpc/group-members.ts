import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import type { Account } from "../world/account.js";
import type { BasicGroup } from "../world/chat.js";
import { markChat, unixNow } from "../world/ids.js";
import { sees } from "../world/made-chats.js";
import { groupChanged, tellOfGroup } from "./chat-change.js";
import { checkMayReturn, invitedPeople, sortInvited } from "./invitations.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveOwnGroup, resolveUser } from "./peers.js";

/** Members of a basic group (`chat_size_max` of the platform's configuration). */
export const maxGroupMembers = 200;

/** Methods that add members to basic groups and remove them. */
export function groupMemberMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.AddChatUser": {
      handle: (request: Api.messages.AddChatUser, context) => {
        const account = callerOf(world, context);
        const group = resolveOwnGroup(world, account, request.chatId);
        const people = invitedPeople(world, account, [request.userId]);
        if (group.banned.has("inviteUsers") && !isAdmin(group, account)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if (people.length === 0) throw new RpcFault(400, "USER_ALREADY_PARTICIPANT");
        for (const person of people) {
          if (group.members.has(person.id)) throw new RpcFault(400, "USER_ALREADY_PARTICIPANT");
          if (account.blocked.has(person.id)) throw new RpcFault(400, "YOU_BLOCKED_USER");
          if (group.forbiddenTo.has(person.id) && !isAdmin(group, account)) throw new RpcFault(403, "CHAT_ADMIN_REQUIRED");
          checkMayReturn(world, account, person, group.left);
        }
        if (group.members.size + people.length > maxGroupMembers) throw new RpcFault(400, "USERS_TOO_MUCH");
        const { userIds, missing } = sortInvited(world, account, people);
        for (const userId of userIds) enter(platform, group, account, userId);
        const updates =
          userIds.length === 0
            ? new Api.Updates({ updates: [], users: [], chats: [], date: unixNow(), seq: 0 })
            : groupChanged(platform, { account, group, key: context.key }, { kind: "added", userIds });
        return new Api.messages.InvitedUsers({ updates, missingInvitees: [...missing] });
      },
    },
    "messages.DeleteChatUser": {
      handle: (request: Api.messages.DeleteChatUser, context) => {
        const account = callerOf(world, context);
        const group = resolveOwnGroup(world, account, request.chatId);
        const { id } = resolveUser(world, account, request.userId);
        if (!group.members.has(id)) throw new RpcFault(400, "USER_NOT_PARTICIPANT");
        if (!mayRemove(group, account, id)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if (request.revokeHistory) revoke(platform, account, group, id, context.key);
        const audience = [...group.members.keys()];
        group.members.delete(id);
        group.admins.delete(id);
        (id === account.userId ? group.left : group.forbiddenTo).add(id);
        group.version++;
        return groupChanged(platform, { account, group, key: context.key }, { kind: "removed", userId: id }, audience);
      },
    },
    "messages.DeleteChat": {
      handle: (request: Api.messages.DeleteChat, context) => {
        const account = callerOf(world, context);
        const group = world.chats.group(request.chatId.toJSNumber());
        if (group?.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ID_INVALID");
        const audience = [...group.members.keys()];
        for (const id of [...audience, account.userId]) group.forbiddenTo.add(id);
        group.members.clear();
        group.version++;
        group.changed = true;
        world.changed("world");
        tellOfGroup(platform, group, audience, context.key);
        return true;
      },
    },
  };
}

function enter({ world }: Platform, group: BasicGroup, account: Account, userId: number): void {
  group.left.delete(userId);
  group.forbiddenTo.delete(userId);
  group.members.set(userId, unixNow());
  group.inviters.set(userId, account.userId);
  group.version++;
  sees(world, userId, markChat(group.id));
}

function isAdmin(group: BasicGroup, { userId }: Account): boolean {
  return userId === group.creatorId || group.admins.has(userId);
}

/** Members may remove themselves and the people that they added, administrators everybody but the creator. */
function mayRemove(group: BasicGroup, account: Account, id: number): boolean {
  if (id === account.userId || account.userId === group.creatorId) return true;
  return id !== group.creatorId && (group.admins.has(account.userId) || group.inviters.get(id) === account.userId);
}

/** Deletes the removed member's messages for everybody. */
function revoke({ delivery }: Platform, account: Account, group: BasicGroup, userId: number, key: AuthKey): void {
  const { box } = account;
  const ids = box.idsOf(markChat(group.id)).filter((id) => box.messages.get(id)?.from === userId);
  if (ids.length > 0) delivery.delete(account, undefined, ids, true, key);
}
