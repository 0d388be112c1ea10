import type { MessageContent, MessageContext } from "../message-content.js";

/** The recipient with the highest precedence (`group`, `newsletter`, `phone`, `user`), as the caller wrote it. */
export type Recipient =
  | { kind: "group"; id: string }
  | { kind: "newsletter"; id: string }
  | { kind: "phone"; phone: string }
  | { kind: "user"; id: string };

/** POST /message/forward, after validation. */
export interface ForwardInput {
  to: Recipient;
  /** As an event named the message. Not checked yet. */
  ref: string;
}

/** Variant A, "Message request body (POST /message)", after validation. */
export type MessageInput = { to: Recipient } & MessageContext & MessageContent;
