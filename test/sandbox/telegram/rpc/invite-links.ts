import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlInvite } from "../tl/invite.js";
import type { Account } from "../world/account.js";
import type { BasicGroup, Channel } from "../world/chat.js";
import { long, markChannel, markChat, unixNow, type MarkedId } from "../world/ids.js";
import { hashOf, type Invite, linkOf } from "../world/invites.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolveOwnGroup, resolveUser } from "./peers.js";

const maxPage = 100;
const maxUsageLimit = 99_999;
const maxTitle = 32;

/**
 * Invite links of groups and channels. Each administrator manages their own links, and the creator all links
 * (core.telegram.org/api/invites).
 */
export function inviteLinkMethods({ world }: Platform): Methods {
  return {
    "messages.ExportChatInvite": {
      handle: (request: Api.messages.ExportChatInvite, context) => {
        const account = callerOf(world, context);
        const { peer } = administered(world, account, request.peer);
        const limits = checkedLimits(request);
        const permanent = request.legacyRevokePermanent === true;
        if (permanent) for (const old of primaryOf(world, peer, account)) world.invites.replace(peer, { ...old, revoked: true });
        return tlInvite(made(world, peer, { adminId: account.userId, permanent, ...(!permanent && limits) }));
      },
    },
    "messages.EditExportedChatInvite": {
      handle: (request: Api.messages.EditExportedChatInvite, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        const invite = linkIn(world, account, chat, request.link);
        if (invite.revoked) throw new RpcFault(400, "INVITE_HASH_EXPIRED");
        if (request.revoked) return revoked(world, account, chat.peer, invite);
        if (invite.permanent) throw new RpcFault(400, "CHAT_INVITE_PERMANENT");
        const { title, expireDate, usageLimit, ...rest } = invite;
        const changed = { ...rest, ...given({ title, expireDate, usageLimit }), ...checkedLimits(request) };
        world.invites.replace(chat.peer, withoutZeros(changed));
        world.changed("world");
        const users = new Cast(world, account).user(invite.adminId).users;
        return new Api.messages.ExportedChatInvite({ invite: tlInvite(withoutZeros(changed)), users });
      },
    },
    "messages.GetExportedChatInvite": {
      handle: (request: Api.messages.GetExportedChatInvite, context) => {
        const account = callerOf(world, context);
        const invite = linkIn(world, account, administered(world, account, request.peer), request.link);
        return new Api.messages.ExportedChatInvite({
          invite: tlInvite(invite),
          users: new Cast(world, account).user(invite.adminId).users,
        });
      },
    },
    "messages.GetExportedChatInvites": {
      handle: (request: Api.messages.GetExportedChatInvites, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        const adminId = adminOf(world, account, chat, request.adminId);
        if (adminId === account.userId && request.revoked !== true) primary(world, chat.peer, account);
        const all = newestFirst(
          world.invites.of(chat.peer).filter((one) => one.adminId === adminId && one.revoked === (request.revoked === true)),
        );
        const at = all.findIndex((one) => linkOf(one) === request.offsetLink);
        const invites = all.slice(at + 1).slice(0, pageOf(request.limit));
        return new Api.messages.ExportedChatInvites({
          count: all.length,
          invites: invites.map(tlInvite),
          users: new Cast(world, account).user(adminId).users,
        });
      },
    },
    "messages.GetAdminsWithInvites": {
      handle: (request: Api.messages.GetAdminsWithInvites, context) => {
        const account = callerOf(world, context);
        const { peer, chat } = administered(world, account, request.peer);
        if (chat.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        const cast = new Cast(world, account);
        const ids = new Set(world.invites.of(peer).map(({ adminId }) => adminId));
        const admins = [...ids].map((adminId) => {
          const theirs = world.invites.of(peer).filter((one) => one.adminId === adminId);
          const revokedInvitesCount = theirs.filter((one) => one.revoked).length;
          cast.user(adminId);
          return new Api.ChatAdminWithInvites({
            adminId: long(adminId),
            invitesCount: theirs.length - revokedInvitesCount,
            revokedInvitesCount,
          });
        });
        return new Api.messages.ChatAdminsWithInvites({ admins, users: cast.users });
      },
    },
    "messages.GetChatInviteImporters": {
      handle: (request: Api.messages.GetChatInviteImporters, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        // Join requests do not exist here.
        const wanted = request.link === undefined ? [] : linkIn(world, account, chat, request.link).importers;
        const all = request.requested ? [] : [...wanted].reverse();
        const { offsetUser } = request;
        const from = offsetUser instanceof Api.InputUserEmpty ? undefined : resolveUser(world, account, offsetUser).id;
        const page = all.slice(all.findIndex(([userId]) => userId === from) + 1).slice(0, pageOf(request.limit));
        const cast = page.reduce((some, [userId]) => some.user(userId), new Cast(world, account));
        const importers = page.map(([userId, date]) => new Api.ChatInviteImporter({ userId: long(userId), date }));
        return new Api.messages.ChatInviteImporters({ count: all.length, importers, users: cast.users });
      },
    },
    "messages.DeleteExportedChatInvite": {
      handle: (request: Api.messages.DeleteExportedChatInvite, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        const invite = linkIn(world, account, chat, request.link);
        if (!invite.revoked) throw new RpcFault(400, "INVITE_REVOKED_MISSING");
        world.invites.remove(chat.peer, (one) => one.hash === invite.hash);
        world.changed("world");
        return true;
      },
    },
    "messages.DeleteRevokedExportedChatInvites": {
      handle: (request: Api.messages.DeleteRevokedExportedChatInvites, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        const adminId = adminOf(world, account, chat, request.adminId);
        world.invites.remove(chat.peer, (one) => one.revoked && one.adminId === adminId);
        world.changed("world");
        return true;
      },
    },
  };
}

interface Administered {
  readonly peer: MarkedId;
  readonly chat: BasicGroup | Channel;
}

function administered(world: World, account: Account, input: unknown): Administered {
  if (input instanceof Api.InputPeerChat) {
    const chat = resolveOwnGroup(world, account, input.chatId);
    if (chat.creatorId !== account.userId && !chat.admins.has(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
    return { peer: markChat(chat.id), chat };
  }
  if (!(input instanceof Api.InputPeerChannel)) throw new RpcFault(400, "PEER_ID_INVALID");
  const chat = resolveChannel(world, account, input);
  if (!chat.isAdmin(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  return { peer: markChannel(chat.id), chat };
}

/** Only the creator may see other administrators' links. */
function linkIn(world: World, account: Account, { peer, chat }: Administered, link: string): Invite {
  const invite = world.invites.of(peer).find(({ hash }) => hash === hashOf(link));
  if (invite === undefined) throw new RpcFault(400, "INVITE_HASH_EXPIRED");
  if (invite.adminId !== account.userId && chat.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  return invite;
}

function adminOf(world: World, account: Account, { chat }: Administered, input: unknown): number {
  const { id } = resolveUser(world, account, input, "ADMIN_ID_INVALID");
  if (id !== account.userId && chat.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  return id;
}

/** Revokes a link for good. An administrator's own link is replaced. */
function revoked(world: World, account: Account, peer: MarkedId, invite: Invite): Api.messages.TypeExportedChatInvite {
  const { permanent, adminId } = invite;
  const old = { ...invite, revoked: true };
  world.invites.replace(peer, old);
  world.changed("world");
  const { users } = new Cast(world, account).user(adminId);
  if (!permanent) return new Api.messages.ExportedChatInvite({ invite: tlInvite(old), users });
  const newInvite = tlInvite(made(world, peer, { adminId, permanent }));
  return new Api.messages.ExportedChatInviteReplaced({ invite: tlInvite(old), newInvite, users });
}

function primaryOf(world: World, peer: MarkedId, { userId }: Account): readonly Invite[] {
  return world.invites.of(peer).filter(({ adminId, permanent, revoked: gone }) => adminId === userId && permanent && !gone);
}

function primary(world: World, peer: MarkedId, account: Account): Invite {
  return primaryOf(world, peer, account)[0] ?? made(world, peer, { adminId: account.userId, permanent: true });
}

function made(world: World, peer: MarkedId, invite: Parameters<World["invites"]["add"]>[1]): Invite {
  const added = world.invites.add(peer, invite);
  if (added === undefined) throw new RpcFault(420, "FLOOD_WAIT_3600");
  world.changed("world");
  return added;
}

/** Sorts newest first, with the administrator's own link at the start. */
function newestFirst(invites: readonly Invite[]): Invite[] {
  const reversed = [...invites].reverse();
  return [...reversed.filter(({ permanent }) => permanent), ...reversed.filter(({ permanent }) => !permanent)];
}

function pageOf(limit: number): number {
  return limit > 0 && limit < maxPage ? limit : maxPage;
}

type Limits = Pick<Invite, "title" | "expireDate" | "usageLimit">;

function checkedLimits(request: Api.messages.ExportChatInvite | Api.messages.EditExportedChatInvite): Limits {
  const { title, expireDate, usageLimit, requestNeeded } = request;
  // Links with approval or a price do not exist here.
  if (requestNeeded || ("subscriptionPricing" in request && request.subscriptionPricing)) throw new RpcFault(400, "CHAT_INVALID");
  if (expireDate && expireDate <= unixNow()) throw new RpcFault(400, "EXPIRE_DATE_INVALID");
  if (usageLimit !== undefined && usageLimit !== null && (usageLimit < 0 || usageLimit > maxUsageLimit))
    throw new RpcFault(400, "USAGE_LIMIT_INVALID");
  // A longer title is cut (TDLib's DialogInviteLinkManager.cpp, MAX_INVITE_LINK_TITLE_LENGTH).
  return given({ title: title && [...title].slice(0, maxTitle).join(""), expireDate, usageLimit });
}

/** Returns the limits that are present. */
function given({ title, expireDate, usageLimit }: { readonly [Name in keyof Limits]: Limits[Name] | null | undefined }): Limits {
  return {
    ...(title != null && { title }),
    ...(expireDate != null && { expireDate }),
    ...(usageLimit != null && { usageLimit }),
  };
}

/** Removes limits of zero and an empty title. */
function withoutZeros({ title, expireDate, usageLimit, ...rest }: Invite): Invite {
  return { ...rest, ...(title && { title }), ...(expireDate && { expireDate }), ...(usageLimit && { usageLimit }) };
}
