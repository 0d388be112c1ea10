import { Api } from "telegram";
import type { ApiError } from "../../shared/contract/api-error.js";
import { groupNotFound } from "../../shared/contract/telegram/errors.js";
import type { Channel } from "../../shared/contract/telegram/channel.js";
import type { Group, GroupMember } from "../../shared/contract/telegram/group.js";
import type { Person } from "../../shared/contract/telegram/webhook-body.js";
import type { Account } from "../../shared/session/state.js";
import { channelMark, chatMark } from "./chats/chat-reference.js";

// Absent fields arrive as null, whatever GramJS's types say: ask for truth here and in all that reads TL objects, never for undefined.

export function toAccount(user: Api.User, picture: string): Account {
  return { generatedId: user.id.toString(), ...namesOf(user), picture };
}

export function toMember(user: Api.User): GroupMember {
  return { id: user.id.toString(), ...namesOf(user) };
}

/** `link` makes the signed link of a profile photo. */
export function toPerson(user: Api.User, link: (userId: string, photoId: string) => string): Person {
  const id = user.id.toString();
  return { id, ...namesOf(user), thumbnail: user.photo instanceof Api.UserProfilePhoto ? link(id, user.photo.photoId.toString()) : "" };
}

/** `joinedAt` is Unix seconds. */
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

/** The date of a channel is the day on which the account joined it. */
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

/** A basic group that still exists, or a supergroup, which the account is in. */
export function isJoinedGroup(chat: Api.TypeChat): chat is Api.Chat | Api.Channel {
  if (chat instanceof Api.Chat) return chat.left !== true && chat.deactivated !== true && !chat.migratedTo;
  return chat instanceof Api.Channel && (chat.megagroup === true || chat.gigagroup === true) && chat.left !== true;
}

/** Returns `group not found`, with the new id of a basic group that became a supergroup. */
export function missingGroup(chat: Api.TypeChat | undefined, cause?: unknown): ApiError {
  const upgraded =
    chat instanceof Api.Chat && chat.migratedTo instanceof Api.InputChannel ? channelMark(chat.migratedTo.channelId) : undefined;
  return groupNotFound(cause, upgraded);
}

export function isJoinedChannel(chat: Api.TypeChat): chat is Api.Channel {
  return chat instanceof Api.Channel && chat.broadcast === true && chat.left !== true;
}

/** ISO 8601 of Unix seconds. */
export function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** ISO 8601; empty for what was never edited, or only in ways that the platform does not show. */
export function editedAt({ editDate, editHide }: Api.Message): string {
  return editDate && editHide !== true ? isoDate(editDate) : "";
}

/** Name falls back to the username, phone or id (variant B, "Session record" and "Group member record"). */
function namesOf(user: Api.User): { name: string; username: string; phone: string } {
  const username = activeUsername(user);
  const phone = user.phone ?? "";
  const name = [user.firstName, user.lastName].filter(Boolean).join(" ").trim();
  return { name: name || username || phone || user.id.toString(), username, phone };
}

/** With collectible names `username` is empty and the active ones stand in `usernames`. */
function activeUsername(entity: Api.User | Api.Channel): string {
  return entity.username || (entity.usernames?.find(({ active }) => active === true)?.username ?? "");
}
