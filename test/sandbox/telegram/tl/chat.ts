import { Api } from "telegram";
import type { Account } from "../world/account.js";
import type { AdminRights, BasicGroup, Channel } from "../world/chat.js";
import { long } from "../world/ids.js";
import type { World } from "../world/world.js";
import { present } from "./present.js";

export function tlChat(world: World, viewer: Account, chat: BasicGroup | Channel): Api.TypeChat {
  return chat.kind === "group" ? tlGroup(world, viewer, chat) : tlChannel(world, viewer, chat);
}

function tlInputChannel(world: World, viewer: Account, channelId: number): Api.InputChannel {
  return new Api.InputChannel({
    channelId: long(channelId),
    accessHash: long(world.secrets.accessHash(viewer.account, "channel", channelId)),
  });
}

export function tlAdminRights({ postMessages, given }: AdminRights): Api.ChatAdminRights {
  if (given !== undefined) return new Api.ChatAdminRights(Object.fromEntries(given.map((name) => [name, true])));
  return new Api.ChatAdminRights(
    present({
      changeInfo: true,
      postMessages: postMessages || undefined,
      deleteMessages: true,
      inviteUsers: true,
      other: true,
    }),
  );
}

function tlGroup(world: World, viewer: Account, group: BasicGroup): Api.TypeChat {
  if (group.forbiddenTo.has(viewer.userId)) return new Api.ChatForbidden({ id: long(group.id), title: group.title });
  return new Api.Chat(
    present({
      id: long(group.id),
      title: group.title,
      creator: group.creatorId === viewer.userId || undefined,
      left: !group.members.has(viewer.userId) || undefined,
      deactivated: group.migratedTo !== undefined || undefined,
      migratedTo: group.migratedTo === undefined ? undefined : tlInputChannel(world, viewer, group.migratedTo),
      adminRights: group.admins.has(viewer.userId) ? tlAdminRights({ postMessages: false }) : undefined,
      photo: chatPhoto(world, group),
      defaultBannedRights: tlBannedRights(group),
      participantsCount: group.members.size,
      date: group.date,
      version: group.version,
    }),
  );
}

function tlChannel(world: World, viewer: Account, channel: Channel): Api.TypeChat {
  const base = {
    id: long(channel.id),
    accessHash: long(world.secrets.accessHash(viewer.account, "channel", channel.id)),
    title: channel.title,
  };
  const broadcast = channel.broadcast || undefined;
  const megagroup = channel.type === "supergroup" || undefined;
  if (channel.forbiddenTo.has(viewer.userId)) return new Api.ChannelForbidden(present({ ...base, broadcast, megagroup }));
  const joinedAt = channel.joined.get(viewer.userId);
  const rights = channel.admins.get(viewer.userId);
  return new Api.Channel(
    present({
      ...base,
      broadcast,
      megagroup,
      gigagroup: channel.type === "gigagroup" || undefined,
      creator: channel.creatorId === viewer.userId || undefined,
      left: joinedAt === undefined || undefined,
      joinRequest: channel.joinRequest || undefined,
      slowmodeEnabled: channel.slowmodeSeconds > 0 || undefined,
      username: channel.username,
      photo: chatPhoto(world, channel),
      // For a member the join date, otherwise the date of creation.
      date: joinedAt ?? channel.date,
      adminRights: channel.creatorId === viewer.userId ? tlAdminRights({ postMessages: true }) : rights && tlAdminRights(rights),
      defaultBannedRights: channel.broadcast ? undefined : tlBannedRights(channel),
      participantsCount: channel.memberCount,
    }),
  );
}

/** Restrictions of members without administrator rights. */
export function tlBannedRights({ banned }: BasicGroup | Channel): Api.ChatBannedRights {
  return new Api.ChatBannedRights({ untilDate: 0, ...Object.fromEntries([...banned].map((name) => [name, true])) });
}

function chatPhoto({ profilePhotos }: World, chat: BasicGroup | Channel): Api.TypeChatPhoto {
  const photoId = profilePhotos.idOf(chat);
  return photoId === undefined
    ? new Api.ChatPhotoEmpty()
    : new Api.ChatPhoto({ photoId: long(photoId), dcId: profilePhotos.dcOf(chat.id) });
}
