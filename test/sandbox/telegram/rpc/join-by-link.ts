import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { tlChat } from "../tl/chat.js";
import { present } from "../tl/present.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import type { BasicGroup, Channel } from "../world/chat.js";
import { long, type MarkedId, unixNow, unmark } from "../world/ids.js";
import { type Invite, isOpen } from "../world/invites.js";
import { isInTooMany, sees } from "../world/made-chats.js";
import type { World } from "../world/world.js";
import { channelChanged, groupChanged } from "./chat-change.js";
import { maxGroupMembers } from "./group-members.js";
import { callerOf, type Methods, type Platform } from "./method.js";

/** Members shown in a link's preview. */
const maxShown = 10;

/** Methods that preview an invite link and join by it. */
export function joinByLinkMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.CheckChatInvite": {
      handle: (request: Api.messages.CheckChatInvite, context) => {
        const account = callerOf(world, context);
        const { chat } = invited(world, account, request.hash);
        if (isIn(chat, account)) return new Api.ChatInviteAlready({ chat: tlChat(world, account, chat) });
        return preview(world, account, chat);
      },
    },
    "messages.ImportChatInvite": {
      handle: (request: Api.messages.ImportChatInvite, context) => {
        const account = callerOf(world, context);
        const { peer, chat, invite } = invited(world, account, request.hash);
        if (isIn(chat, account)) throw new RpcFault(400, "USER_ALREADY_PARTICIPANT");
        if (chat.kind === "channel" && isInTooMany(account)) throw new RpcFault(400, "CHANNELS_TOO_MUCH");
        if (chat.kind === "group" && chat.members.size >= maxGroupMembers) throw new RpcFault(400, "USERS_TOO_MUCH");
        world.invites.replace(peer, { ...invite, importers: [...invite.importers, [account.userId, unixNow()]] });
        sees(world, account.userId, peer);
        return entered(platform, account, chat, invite, context.key);
      },
    },
  };
}

interface Invited {
  readonly peer: MarkedId;
  readonly chat: BasicGroup | Channel;
  readonly invite: Invite;
}

/** For a banned person, a link is expired. */
function invited(world: World, account: Account, hash: string): Invited {
  if (hash === "") throw new RpcFault(400, "INVITE_HASH_EMPTY");
  if (!/^[\w-]{16}$/.test(hash)) throw new RpcFault(400, "INVITE_HASH_INVALID");
  const [peer, invite] = world.invites.find(hash) ?? [];
  // Creates the administrator's own chats first, which may include the chat of the link.
  const admin = world.accounts.ofUser(invite?.adminId ?? 0);
  if (admin !== undefined) world.opened(admin);
  const { kind, id } = unmark(peer ?? 0);
  const chat = kind === "channel" ? world.chats.channel(id) : world.chats.group(id);
  const leads = chat !== undefined && (chat.kind === "channel" || (chat.migratedTo === undefined && chat.members.size > 0));
  if (
    peer === undefined ||
    invite === undefined ||
    !leads ||
    chat.forbiddenTo.has(account.userId) ||
    !(isOpen(invite) || isIn(chat, account))
  )
    throw new RpcFault(400, "INVITE_HASH_EXPIRED");
  return { peer, chat, invite };
}

function isIn(chat: BasicGroup | Channel, { userId }: Account): boolean {
  return chat.kind === "channel" ? chat.joined.has(userId) : chat.members.has(userId);
}

/** Returns the preview of a chat. Contacts of the account come first. */
function preview(world: World, account: Account, chat: BasicGroup | Channel): Api.ChatInvite {
  const isChannel = chat.kind === "channel";
  const hidden = isChannel && (chat.broadcast || chat.hidesMembers);
  const ids = !isChannel ? [...chat.members.keys()] : hidden ? [] : chat.memberIds(0, maxShown);
  const known = [...ids].sort((a, b) => Number(account.contacts.has(b)) - Number(account.contacts.has(a))).slice(0, maxShown);
  const people = known.flatMap((id) => world.accounts.person(id) ?? []).map((person) => tlUser(world, account, person));
  return new Api.ChatInvite(
    present({
      channel: isChannel || undefined,
      broadcast: (isChannel && chat.broadcast) || undefined,
      megagroup: (isChannel && !chat.broadcast) || undefined,
      public: (isChannel && chat.username !== undefined) || undefined,
      title: chat.title,
      about: chat.about || undefined,
      photo: new Api.PhotoEmpty({ id: long(0) }),
      participantsCount: isChannel ? chat.memberCount : chat.members.size,
      participants: people.length > 0 ? people : undefined,
      color: 0,
    }),
  );
}

/** Joins the chat. A broadcast shows no service message. */
function entered(platform: Platform, account: Account, chat: BasicGroup | Channel, { adminId }: Invite, key: AuthKey): Api.Updates {
  const action = { kind: "joined-by-link", inviterId: adminId } as const;
  if (chat.kind === "channel") {
    chat.join(account.userId, unixNow());
    return channelChanged(
      platform,
      { account, channel: chat, key },
      { action: chat.broadcast ? undefined : action, userIds: [account.userId] },
    );
  }
  chat.left.delete(account.userId);
  chat.members.set(account.userId, unixNow());
  chat.inviters.set(account.userId, adminId);
  chat.version++;
  return groupChanged(platform, { account, group: chat, key }, action);
}
