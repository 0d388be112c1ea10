import type { Platform } from "../../../api/rows.js";
import type { AnyChat, AnyChatMessage, AnyChatRow } from "./chat-types.js";

interface OnPlatform {
  readonly platform: Platform;
}

/** Returns the body field that names a chat, by the form of its id. On Telegram `group` also takes the ids of channels. Pure. */
export function recipientField(platform: Platform, chat: string): string {
  if (platform === "telegram") return chat.startsWith("-") ? "group" : "user";
  if (chat.endsWith("@g.us")) return "group";
  return chat.endsWith("@newsletter") ? "newsletter" : "user";
}

/** Returns the fields that name a chat in a request. Pure. */
export function recipientIn({ platform }: OnPlatform, chat: string): Readonly<Record<string, string>> {
  return { [recipientField(platform, chat)]: chat };
}

/** Returns the name of a person, group or channel, or else what identifies it. Pure. */
export function chatName({ id, name, username, phone }: AnyChat): string {
  if (name !== "") return name;
  if (username !== "") return `@${username}`;
  return phone === "" ? id : `+${phone}`;
}

export const chatKindNames: Readonly<Record<AnyChatRow["kind"], string>> = { person: "Person", group: "Group", channel: "Channel" };

const typeNames: Readonly<Record<AnyChatMessage["type"], string>> = {
  text: "Message",
  image: "Photo",
  video: "Video",
  audio: "Audio",
  sticker: "Sticker",
  document: "Document",
  location: "Location",
  contact: "Contact",
  poll: "Poll",
  other: "Unsupported message",
};

/** Returns a message in a line: its text, or what it is. Pure. */
export function summaryOf({ type, text, voice, name, poll }: Pick<AnyChatMessage, "type" | "text" | "voice" | "name" | "poll">): string {
  const line = (poll?.question ?? text).replace(/\s+/g, " ").trim();
  if (line !== "") return type === "poll" || poll !== undefined ? `Poll: ${line}` : line;
  if (voice) return "Voice message";
  return name === "" ? typeNames[type] : name;
}

/** Returns which actions a message offers. The platform may still refuse one, such as an edit after its time limit. Pure. */
export function actionsOf(
  { platform }: OnPlatform,
  chat: string,
  { fromMe, type, text, ref = "" }: Pick<AnyChatMessage, "fromMe" | "type" | "text" | "ref">,
): { readonly edit: boolean; readonly remove: boolean; readonly forward: boolean } {
  const hasEditableText = type === "text" || (platform === "telegram" && type !== "poll" && text !== "");
  return {
    edit: fromMe && hasEditableText,
    // On WhatsApp only a group's administrators delete messages of others.
    remove: fromMe || platform === "telegram" || recipientField(platform, chat) === "group",
    forward: ref !== "",
  };
}
