import { Api } from "telegram";
import type { ApiError } from "../../shared/contract/api-error.js";
import { groupNotFound } from "../../shared/contract/telegram/errors.js";
import type { Channel } from "../../shared/contract/telegram/channel.js";
import type { Group, GroupMember } from "../../shared/contract/telegram/group.js";
import type { Person } from "../../shared/contract/telegram/webhook-body.js";
import type { Account } from "../../shared/session/state.js";
import { channelMark, chatMark } from "./chats/chat-reference.js";

// GramJS sets absent fields to null, despite its types. Code that reads TL objects must therefore test for truth, never for undefined.

export function toAccount(user: Api.User, picture: string): Account {
  return { generatedId: user.id.toString(), ...namesOf(user), picture };
}

export function toMember(user: Api.User): GroupMember {
  return { id: user.id.toString(), ...namesOf(user) };
}

/** Converts a user. `link` makes the signed link of the profile photo. */
export function toPerson(user: Api.User, link: (userId: string, photoId: string) => string): Person {
  const id = user.id.toString();
  return { id, ...namesOf(user), thumbnail: user.photo instanceof Api.UserProfilePhoto ? link(id, user.photo.photoId.toString()) : "" };
}

/** Converts a group or channel into the chat of a message, which has no picture. */
export function toChatPerson(chat: Api.TypeChat): Person {
  const isChannel = chat instanceof Api.Channel || chat instanceof Api.ChannelForbidden;
  const username = chat instanceof Api.Channel ? activeUsername(chat) : "";
  const id = isChannel ? channelMark(chat.id) : chatMark(chat.id);
  return { id, name: "title" in chat ? chat.title : "", username, phone: "", thumbnail: "" };
}

/** Returns true for a channel. Supergroups are channels on the wire, but groups for callers. */
export function isBroadcast(chat: Api.TypeChat): boolean {
  return (chat instanceof Api.Channel || chat instanceof Api.ChannelForbidden) && chat.broadcast === true;
}

/** Converts a group. `joinedAt` is in Unix seconds. */
export function toGroup(chat: Api.Chat | Api.Channel, details: { description: string; joinedAt: number; picture: string }): Group {
  return {
    id: markOf(chat),
    name: chat.title,
    username: chat instanceof Api.Channel ? activeUsername(chat) : "",
    description: details.description,
    picture: details.picture,
    created: isoDate(details.joinedAt),
  };
}

/** Converts a channel. The date of a channel is when the account joined it. */
export function toChannel(channel: Api.Channel, picture: string): Channel {
  return {
    id: markOf(channel),
    name: channel.title,
    username: activeUsername(channel),
    picture,
    isOwner: channel.creator === true || Boolean(channel.adminRights),
    created: isoDate(channel.date),
  };
}

export function markOf(chat: Api.Chat | Api.Channel): string {
  return chat instanceof Api.Chat ? chatMark(chat.id) : channelMark(chat.id);
}

/** Returns true for a supergroup or an existing basic group that the account is in. */
export function isJoinedGroup(chat: Api.TypeChat): chat is Api.Chat | Api.Channel {
  if (chat instanceof Api.Chat) return chat.left !== true && chat.deactivated !== true && !chat.migratedTo;
  return chat instanceof Api.Channel && (chat.megagroup === true || chat.gigagroup === true) && chat.left !== true;
}

/** Returns `group not found`, with the new id if a basic group became a supergroup. */
export function missingGroup(chat: Api.TypeChat | undefined, cause?: unknown): ApiError {
  const upgraded =
    chat instanceof Api.Chat && chat.migratedTo instanceof Api.InputChannel ? channelMark(chat.migratedTo.channelId) : undefined;
  return groupNotFound(cause, upgraded);
}

export function isJoinedChannel(chat: Api.TypeChat): chat is Api.Channel {
  return chat instanceof Api.Channel && chat.broadcast === true && chat.left !== true;
}

/** Returns Unix seconds as an ISO 8601 date. */
export function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Returns the edit date in ISO 8601; empty for a message without an edit, or with edits that the platform hides. */
export function editedAt({ editDate, editHide }: Api.Message): string {
  return editDate && editHide !== true ? isoDate(editDate) : "";
}

/** The name falls back to the username, phone or id (variant B, "Session record" and "Group member record"). */
function namesOf(user: Api.User): { name: string; username: string; phone: string } {
  const username = activeUsername(user);
  const phone = user.phone ?? "";
  const name = [user.firstName, user.lastName].filter(Boolean).join(" ").trim();
  return { name: name || username || phone || user.id.toString(), username, phone };
}

/** For accounts with collectible names, `username` is empty and `usernames` has the active ones. */
function activeUsername(entity: Api.User | Api.Channel): string {
  return entity.username || (entity.usernames?.find(({ active }) => active === true)?.username ?? "");
}

/** Returns the marked id of a peer. */
export function markOfPeer(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return peer.userId.toString();
  return peer instanceof Api.PeerChat ? chatMark(peer.chatId) : channelMark(peer.channelId);
}
