import type { Recipient } from "./message.js";

/** A message of the chat `to`. */
export interface MessageReference {
  to: Recipient;
  messageId: string;
  /** Id of the person who wrote the message. */
  author?: string;
}

/** PATCH /message/{messageId}, after validation. */
export interface EditInput {
  to: Recipient;
  messageId: string;
  text: string;
}

/** POST /message/reaction, after validation. An empty `emoji` removes the account's reaction. */
export interface ReactionInput extends MessageReference {
  emoji: string;
}
