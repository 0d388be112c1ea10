import type { AlbumContent, MessageContent, MessageContext, PollContent, StickerContent, VoiceContent } from "../message-content.js";

/** The recipient with the highest precedence (`group`, `newsletter`, `phone`, `user`), as the caller wrote it. */
export type Recipient =
  | { kind: "group"; id: string }
  | { kind: "newsletter"; id: string }
  | { kind: "phone"; phone: string }
  | { kind: "user"; id: string };

/** A recipient of what channels cannot receive. */
export type ChatRecipient = Exclude<Recipient, { kind: "newsletter" }>;

/** A recipient that is one person. */
export type PersonRecipient = Extract<Recipient, { kind: "phone" | "user" }>;

/** POST and DELETE /block, after validation. */
export interface BlockInput {
  to: PersonRecipient;
}

/** POST /message/voice, /message/sticker, /message/poll and /message/album, after validation. */
export type VoiceInput = { to: ChatRecipient } & VoiceContent;
export type StickerInput = { to: ChatRecipient } & StickerContent;
export type AlbumInput = { to: ChatRecipient } & AlbumContent;
export type PollInput = { to: ChatRecipient } & PollContent;

/** POST /message/forward, after validation. */
export interface ForwardInput {
  to: Recipient;
  /** As an event named the message. Not checked yet. */
  ref: string;
}

/** Variant A, "Message request body (POST /message)", after validation. */
export type MessageInput = { to: Recipient } & MessageContext & MessageContent;
