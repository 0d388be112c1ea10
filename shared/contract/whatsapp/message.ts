import type { MessageContent } from "../message-content.js";

/** The recipient with the highest precedence (`group` before `newsletter` before `phone`), as the caller wrote it. */
export type Recipient = { kind: "group"; id: string } | { kind: "newsletter"; id: string } | { kind: "phone"; phone: string };

/** Variant A, "Message request body (POST /message)", after validation. */
export type MessageInput = { to: Recipient } & MessageContent;
