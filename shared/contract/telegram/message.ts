import type { AlbumContent, MessageContent, MessageContext, PollContent, StickerContent, VoiceContent } from "../message-content.js";
import type { ChatReference } from "./chat-reference.js";

/** In the order of the error `parseMode must be one of the following values: markdown, html`. */
export const parseModes = ["markdown", "html"] as const;
export type ParseMode = (typeof parseModes)[number];

/** The recipient with the highest precedence: `group`, then `channel`, `user`, `username`, `phone`. */
export type Recipient =
  | { kind: "group"; chat: ChatReference }
  | { kind: "channel"; chat: ChatReference }
  | { kind: "user"; chat: ChatReference }
  | { kind: "username"; chat: ChatReference }
  /** At least 8 digits and no other characters. */
  | { kind: "phone"; digits: string };

/** A recipient that is one person. */
export type PersonRecipient = Extract<Recipient, { kind: "user" | "username" | "phone" }>;

/** POST and DELETE /block, after validation. */
export interface BlockInput {
  to: PersonRecipient;
}

/** POST /message/voice, /message/sticker, /message/poll and /message/album, after validation. */
export type VoiceInput = { to: Recipient } & VoiceContent;
export type StickerInput = { to: Recipient } & StickerContent;
export type AlbumInput = { to: Recipient } & AlbumContent;
export type PollInput = { to: Recipient } & PollContent;

/** POST /message/forward, after validation. */
export interface ForwardInput {
  to: Recipient;
  /** As an event named the message. Not checked yet. */
  ref: string;
}

/** POST /message, after validation. The objects are those of variant A. Without `parseMode` the text is sent unchanged. */
export type MessageInput = { to: Recipient; parseMode?: ParseMode } & MessageContext & MessageContent;
