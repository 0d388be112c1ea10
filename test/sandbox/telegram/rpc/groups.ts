import { Api } from "telegram";
import { Cast } from "../tl/cast.js";
import { tlChat } from "../tl/chat.js";
import { tlGroupMembers } from "../tl/group-members.js";
import { tlOwnInvite } from "../tl/invite.js";
import { present } from "../tl/present.js";
import type { Account } from "../world/account.js";
import type { BasicGroup } from "../world/chat.js";
import { long, markChat } from "../world/ids.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveGroup } from "./peers.js";

export function groupMethods({ world }: Platform): Methods {
  return {
    "messages.GetChats": {
      handle: (request: Api.messages.GetChats, context) => {
        const account = callerOf(world, context);
        return new Api.messages.Chats({
          chats: request.id.map((id) => tlChat(world, account, resolveGroup(world, account, id.toJSNumber()))),
        });
      },
    },
    "messages.GetFullChat": {
      handle: (request: Api.messages.GetFullChat, context) => {
        const account = callerOf(world, context);
        return fullGroup(world, account, resolveGroup(world, account, request.chatId.toJSNumber()));
      },
    },
  };
}

function fullGroup(world: World, account: Account, group: BasicGroup): Api.messages.ChatFull {
  const isMember = group.members.has(account.userId);
  const cast = new Cast(world, account);
  if (isMember) for (const id of group.members.keys()) cast.user(id);
  const participants = isMember ? tlGroupMembers(group) : new Api.ChatParticipantsForbidden({ chatId: long(group.id) });
  const fullChat = new Api.ChatFull(
    present({
      id: long(group.id),
      about: group.about,
      ttlPeriod: group.ttlPeriod || undefined,
      participants,
      notifySettings: new Api.PeerNotifySettings({}),
      exportedInvite: tlOwnInvite(world, account, markChat(group.id)),
    }),
  );
  return new Api.messages.ChatFull({ fullChat, chats: [tlChat(world, account, group)], users: cast.users });
}
