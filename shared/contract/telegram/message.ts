import type { MessageContent } from "../message-content.js";
import type { ChatReference } from "./chat-reference.js";

/** In the order of the sentence `parseMode must be one of the following values: markdown, html`. */
export const parseModes = ["markdown", "html"] as const;
export type ParseMode = (typeof parseModes)[number];

/** The one recipient that won: `group`, then `channel`, `user`, `username`, `phone`. */
export type Recipient =
  | { kind: "group"; chat: ChatReference }
  | { kind: "channel"; chat: ChatReference }
  | { kind: "user"; chat: ChatReference }
  | { kind: "username"; chat: ChatReference }
  /** At least 8 digits, nothing else. */
  | { kind: "phone"; digits: string };

/** POST /message, after validation; the objects are those of variant A. Without `parseMode` the text is sent as it is. */
export type MessageInput = { to: Recipient; parseMode?: ParseMode } & MessageContent;
