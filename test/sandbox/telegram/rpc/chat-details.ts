import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { tlBannedRights } from "../tl/chat.js";
import type { Account } from "../world/account.js";
import { bannedNames, type BannedName, type BasicGroup, type Channel } from "../world/chat.js";
import { long, unixNow } from "../world/ids.js";
import type { ServiceAction } from "../world/service-action.js";
import type { World } from "../world/world.js";
import { channelChanged, groupChanged, tellOfChannel, tellOfGroup } from "./chat-change.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolveOwnGroup } from "./peers.js";
import { takePicture } from "./uploaded-picture.js";

/** Characters. */
const maxAbout = 255;
const daySeconds = 86_400;
const maxPeriodDays = 365;

type RequestContext = Parameters<Methods[string]["handle"]>[1];

/** Changes of groups and channels besides their titles: description, photo, rights of members, approval and timer. */
export function chatDetailMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.EditChatAbout": {
      handle: (request: Api.messages.EditChatAbout, context) => {
        const account = callerOf(world, context);
        const chat = changeable(world, account, request.peer);
        if ([...request.about].length > maxAbout) throw new RpcFault(400, "CHAT_ABOUT_TOO_LONG");
        if (request.about === chat.about) throw new RpcFault(400, "CHAT_ABOUT_NOT_MODIFIED");
        chat.about = request.about;
        tellState(platform, chat, context);
        return true;
      },
    },
    "messages.EditChatPhoto": {
      handle: (request: Api.messages.EditChatPhoto, context) => {
        const account = callerOf(world, context);
        return changePhoto(platform, account, permitted(account, resolveOwnGroup(world, account, request.chatId)), request.photo, context);
      },
    },
    "channels.EditPhoto": {
      handle: (request: Api.channels.EditPhoto, context) => {
        const account = callerOf(world, context);
        return changePhoto(platform, account, permitted(account, resolveChannel(world, account, request.channel)), request.photo, context);
      },
    },
    "messages.EditChatDefaultBannedRights": {
      handle: (request: Api.messages.EditChatDefaultBannedRights, context) => {
        const account = callerOf(world, context);
        const chat = administered(world, account, request.peer);
        const { bannedRights } = request;
        if (bannedRights.viewMessages || (chat.kind === "channel" && chat.broadcast)) throw new RpcFault(406, "BANNED_RIGHTS_INVALID");
        if (bannedRights.untilDate !== 0 && bannedRights.untilDate !== forever) throw new RpcFault(400, "UNTIL_DATE_INVALID");
        const banned = bannedNames.filter((name) => bannedRights[name] === true);
        if (sameSet(banned, chat.banned)) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
        chat.banned = new Set(banned);
        tellState(platform, chat, context);
        const peer =
          chat.kind === "channel" ? new Api.PeerChannel({ channelId: long(chat.id) }) : new Api.PeerChat({ chatId: long(chat.id) });
        const version = chat.kind === "channel" ? 1 : chat.version;
        const update = new Api.UpdateChatDefaultBannedRights({ peer, defaultBannedRights: tlBannedRights(chat), version });
        return new Api.Updates({ updates: [update], users: [], chats: [], date: unixNow(), seq: 0 });
      },
    },
    "channels.ToggleJoinRequest": {
      handle: (request: Api.channels.ToggleJoinRequest, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!channel.isAdmin(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if (channel.broadcast) throw new RpcFault(400, "CHANNEL_INVALID");
        if (channel.username === undefined) throw new RpcFault(400, "CHAT_PUBLIC_REQUIRED");
        if (channel.joinRequest === request.enabled) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
        channel.joinRequest = request.enabled;
        channel.changed = true;
        return channelChanged(platform, { account, channel, key: context.key }, { userIds: [...channel.joined.keys()] });
      },
    },
    "messages.SetHistoryTTL": {
      handle: (request: Api.messages.SetHistoryTTL, context) => {
        const account = callerOf(world, context);
        const chat = changeable(world, account, request.peer);
        const { period } = request;
        if (period % daySeconds !== 0 || period < 0 || period > maxPeriodDays * daySeconds) throw new RpcFault(400, "TTL_PERIOD_INVALID");
        if (period === chat.ttlPeriod) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
        chat.ttlPeriod = period;
        return changed(platform, account, chat, { kind: "timer-set", period }, context);
      },
    },
  };
}

/** The date that some clients send for no date. */
const forever = 2 ** 31 - 1;

async function changePhoto(
  platform: Platform,
  account: Account,
  chat: BasicGroup | Channel,
  photo: Api.TypeInputChatPhoto,
  context: RequestContext,
): Promise<Api.Updates> {
  const { profilePhotos } = platform.world;
  if (photo instanceof Api.InputChatPhotoEmpty) {
    if (profilePhotos.idOf(chat) === undefined) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
    profilePhotos.remove(chat.id);
    return changed(platform, account, chat, { kind: "photo-removed" }, context);
  }
  // A photo of an earlier message or profile, and a video, are not played.
  if (!(photo instanceof Api.InputChatUploadedPhoto)) throw new RpcFault(400, "PHOTO_INVALID");
  await takePicture(platform.world, account, photo.file);
  profilePhotos.replace(chat.id);
  return changed(platform, account, chat, { kind: "photo-set", photoId: profilePhotos.idOf(chat) ?? 0 }, context);
}

/** Writes the service message of a change. A broadcast shows it as well. */
function changed(
  platform: Platform,
  account: Account,
  chat: BasicGroup | Channel,
  action: ServiceAction,
  { key }: RequestContext,
): Api.Updates {
  platform.world.changed("world");
  if (chat.kind === "group") return groupChanged(platform, { account, group: chat, key }, action);
  chat.changed = true;
  return channelChanged(platform, { account, channel: chat, key }, { action, userIds: [...chat.joined.keys()] });
}

function tellState(platform: Platform, chat: BasicGroup | Channel, { key }: RequestContext): void {
  chat.changed = true;
  platform.world.changed("world");
  if (chat.kind === "channel") tellOfChannel(platform, chat, [...chat.joined.keys()], key);
  else tellOfGroup(platform, chat, [...chat.members.keys()], key);
}

/** Returns a chat whose description, photo and timer the account may change. */
function changeable(world: World, account: Account, input: unknown): BasicGroup | Channel {
  return permitted(account, chatOf(world, account, input));
}

function permitted<Chat extends BasicGroup | Channel>(account: Account, chat: Chat): Chat {
  if (!mayChangeInfo(chat, account)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  return chat;
}

/** Members of a group may change it, unless its default rights forbid that. */
export function mayChangeInfo(chat: BasicGroup | Channel, { userId }: Account): boolean {
  if (chat.kind === "channel") return chat.mayChange(userId, "changeInfo");
  return isAdministrator(chat, userId) || !chat.banned.has("changeInfo");
}

function administered(world: World, account: Account, input: unknown): BasicGroup | Channel {
  const chat = chatOf(world, account, input);
  const isAdmin = chat.kind === "channel" ? chat.isAdmin(account.userId) : isAdministrator(chat, account.userId);
  if (!isAdmin) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  return chat;
}

function chatOf(world: World, account: Account, input: unknown): BasicGroup | Channel {
  if (input instanceof Api.InputPeerChat) return resolveOwnGroup(world, account, input.chatId);
  if (input instanceof Api.InputPeerChannel) return resolveChannel(world, account, input);
  throw new RpcFault(400, "PEER_ID_INVALID");
}

export function isAdministrator({ creatorId, admins }: BasicGroup, userId: number): boolean {
  return userId === creatorId || admins.has(userId);
}

function sameSet(names: readonly BannedName[], banned: ReadonlySet<BannedName>): boolean {
  return names.length === banned.size && names.every((name) => banned.has(name));
}
