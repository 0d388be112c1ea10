import type { ParseMode, Recipient } from "./message.js";

/** A message of the chat `to`. */
export interface MessageReference {
  to: Recipient;
  messageId: number;
}

/** PATCH /message/{messageId}, after validation. Without `parseMode` the text is sent unchanged. */
export interface EditInput extends MessageReference {
  text: string;
  parseMode?: ParseMode;
}

/** POST /message/reaction, after validation. An empty `emoji` removes the account's reaction. */
export interface ReactionInput extends MessageReference {
  emoji: string;
}
