import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlAdminRights, tlChat } from "../tl/chat.js";
import { tlOwnInvite } from "../tl/invite.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, markChannel, markChat } from "../world/ids.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { knownChannel, resolveChannel, resolveUser } from "./peers.js";
import { present } from "../tl/present.js";

/** The platform lists no more members, even of larger chats. */
const maxListed = 10_000;
const maxPage = 200;

export function channelMethods({ world, delivery }: Platform): Methods {
  return {
    "channels.GetChannels": {
      handle: (request: Api.channels.GetChannels, context) => {
        const account = callerOf(world, context);
        const chats = request.id.map((input) => {
          const channel = knownChannel(world, account, input);
          if (channel === undefined) throw new RpcFault(400, "CHANNEL_INVALID");
          return tlChat(world, account, channel);
        });
        return new Api.messages.Chats({ chats });
      },
    },
    "channels.GetFullChannel": {
      handle: (request: Api.channels.GetFullChannel, context) => {
        const account = callerOf(world, context);
        return fullChannel(world, account, resolveChannel(world, account, request.channel));
      },
    },
    "channels.GetParticipants": {
      handle: (request: Api.channels.GetParticipants, context) => {
        const account = callerOf(world, context);
        return participants(world, account, resolveChannel(world, account, request.channel), request);
      },
    },
    "channels.GetParticipant": {
      handle: (request: Api.channels.GetParticipant, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        const person = resolveUser(world, account, request.participant, "PARTICIPANT_ID_INVALID");
        const isSelf = person.id === account.userId;
        if (!isSelf && !mayList(channel, account)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if (!isSelf && channel.forbiddenTo.has(person.id)) return banned(world, account, channel, person.id);
        const isIn = isSelf ? channel.joined.has(person.id) : channel.isMember(person.id);
        if (!isIn) throw new RpcFault(400, "USER_NOT_PARTICIPANT");
        const cast = new Cast(world, account).user(person.id).peer(markChannel(channel.id));
        return new Api.channels.ChannelParticipant({
          participant: participant(channel, account, person.id),
          chats: cast.chats,
          users: cast.users,
        });
      },
    },
    "channels.ReadHistory": {
      handle: (request: Api.channels.ReadHistory, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        world.received.add({ type: "read", account: account.account, chat: String(markChannel(channel.id)), maxId: String(request.maxId) });
        return true;
      },
    },
    "channels.DeleteMessages": {
      handle: (request: Api.channels.DeleteMessages, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        const box = channel.history();
        const isOwn = request.id.every((id) => box.messages.get(id)?.from === account.userId);
        if (!isOwn && !channel.isAdmin(account.userId)) throw new RpcFault(403, "MESSAGE_DELETE_FORBIDDEN");
        const gone = delivery.delete(account, markChannel(channel.id), request.id, true, context.key);
        world.received.add({ type: "delete", account: account.account, chat: String(markChannel(channel.id)), ids: gone.map(String) });
        return new Api.messages.AffectedMessages({ pts: box.pts, ptsCount: gone.length });
      },
    },
  };
}

function fullChannel(world: World, account: Account, channel: Channel): Api.messages.ChatFull {
  const box = channel.history();
  const top = box.topOf(markChannel(channel.id))?.id ?? 0;
  const fullChat = new Api.ChannelFull(
    present({
      id: long(channel.id),
      about: channel.about,
      ttlPeriod: channel.ttlPeriod || undefined,
      canViewParticipants: mayList(channel, account) || undefined,
      participantsHidden: channel.hidesMembers || undefined,
      participantsCount: channel.memberCount,
      readInboxMaxId: top,
      readOutboxMaxId: top,
      unreadCount: 0,
      chatPhoto: new Api.PhotoEmpty({ id: long(0) }),
      notifySettings: new Api.PeerNotifySettings({}),
      botInfo: [],
      exportedInvite: tlOwnInvite(world, account, markChannel(channel.id)),
      migratedFromChatId: channel.migratedFrom === undefined ? undefined : long(channel.migratedFrom),
      migratedFromMaxId: channel.migratedFrom === undefined ? undefined : (account.box.topOf(markChat(channel.migratedFrom))?.id ?? 0),
      slowmodeSeconds: channel.slowmodeSeconds || undefined,
      pts: box.pts,
    }),
  );
  return new Api.messages.ChatFull({ fullChat, chats: [tlChat(world, account, channel)], users: [] });
}

/** Only administrators see the members of a broadcast or of a group that hides them. */
function mayList(channel: Channel, { userId }: Account): boolean {
  return channel.isAdmin(userId) || !(channel.broadcast || channel.hidesMembers);
}

function participants(
  world: World,
  account: Account,
  channel: Channel,
  { filter, offset, limit }: Api.channels.GetParticipants,
): Api.channels.ChannelParticipants {
  const isAdmins = filter instanceof Api.ChannelParticipantsAdmins;
  if (!mayList(channel, account) && !(isAdmins && !channel.broadcast)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
  if (offset < 0 || limit < 0) throw new RpcFault(400, "OFFSET_INVALID");
  const end = Math.min(offset + Math.min(limit || maxPage, maxPage), maxListed);
  const { ids, count } = listed(world, account, channel, filter, offset, Math.max(0, end - offset));
  const cast = ids.reduce((all, id) => all.user(id), new Cast(world, account));
  return new Api.channels.ChannelParticipants({
    count,
    participants: ids.map((id) => participant(channel, account, id)),
    chats: [],
    users: cast.users,
  });
}

function listed(
  world: World,
  account: Account,
  channel: Channel,
  filter: Api.TypeChannelParticipantsFilter,
  offset: number,
  limit: number,
): { ids: number[]; count: number } {
  const cut = (ids: number[]): { ids: number[]; count: number } => ({ ids: ids.slice(offset, offset + limit), count: ids.length });
  if (filter instanceof Api.ChannelParticipantsAdmins) return cut([...new Set([channel.creatorId, ...channel.admins.keys()])]);
  if (filter instanceof Api.ChannelParticipantsContacts)
    return cut(channel.memberIds(0, maxListed).filter((id) => account.contacts.has(id)));
  if (filter instanceof Api.ChannelParticipantsSearch && filter.q !== "") {
    const wanted = filter.q.toLowerCase();
    return cut(channel.memberIds(0, maxListed).filter((id) => nameOf(world, id).includes(wanted)));
  }
  if (filter instanceof Api.ChannelParticipantsRecent || filter instanceof Api.ChannelParticipantsSearch)
    return { ids: channel.memberIds(offset, limit), count: channel.memberCount };
  return { ids: [], count: 0 };
}

function nameOf(world: World, id: number): string {
  const person = world.accounts.person(id);
  return `${person?.firstName ?? ""} ${person?.lastName ?? ""} ${person?.username ?? ""}`.toLowerCase();
}

/** The platform also returns a person who is banned and therefore not in the channel. */
function banned(world: World, account: Account, channel: Channel, userId: number): Api.channels.ChannelParticipant {
  const { chats, users } = new Cast(world, account).user(userId).peer(markChannel(channel.id));
  const participant = new Api.ChannelParticipantBanned({
    left: true,
    peer: new Api.PeerUser({ userId: long(userId) }),
    kickedBy: long(channel.creatorId),
    date: channel.date,
    bannedRights: new Api.ChatBannedRights({ viewMessages: true, untilDate: 0 }),
  });
  return new Api.channels.ChannelParticipant({ participant, chats, users });
}

function participant(channel: Channel, account: Account, userId: number): Api.TypeChannelParticipant {
  const date = channel.joined.get(userId) ?? channel.date;
  const rights = channel.admins.get(userId);
  if (userId === channel.creatorId)
    return new Api.ChannelParticipantCreator({ userId: long(userId), adminRights: tlAdminRights({ postMessages: true }) });
  if (rights !== undefined)
    return new Api.ChannelParticipantAdmin(
      present({
        self: userId === account.userId || undefined,
        userId: long(userId),
        inviterId: userId === account.userId ? long(channel.creatorId) : undefined,
        promotedBy: long(rights.by ?? channel.creatorId),
        date,
        adminRights: tlAdminRights(rights),
        rank: rights.rank,
      }),
    );
  if (userId === account.userId) return new Api.ChannelParticipantSelf({ userId: long(userId), inviterId: long(channel.creatorId), date });
  return new Api.ChannelParticipant({ userId: long(userId), date });
}
