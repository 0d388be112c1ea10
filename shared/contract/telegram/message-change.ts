import type { Recipient } from "./message.js";

/** A message of the chat `to`. */
export interface MessageReference {
  to: Recipient;
  messageId: number;
}

/** POST /message/reaction, after validation. An empty `emoji` removes the account's reaction. */
export interface ReactionInput extends MessageReference {
  emoji: string;
}
