import type { ChatKind } from "../page.js";
import type { Count } from "../plain-values.js";
import type { WhatsAppChat, WhatsAppMessage } from "./webhook-body.js";

/** One chat, as this session has seen it since it was linked. */
export interface ListedChat {
  /** What the chat is. */
  kind: ChatKind;
  /** The other person, the group or the channel. */
  chat: WhatsAppChat;
  /** Number of kept messages of others after the account's last message or read mark in this chat. */
  unread: Count;
  /** Newest message of the chat. */
  last: WhatsAppMessage;
}

/** A page of chats, the one with the newest message first. */
export interface ChatPage {
  /** The chats. */
  docs: ListedChat[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  next: string;
}

/** GET /chat/message. `limit` is 1 to 100. An empty `before` begins with the newest message. */
export interface ChatMessageQuery {
  /** JID of a person, group or channel. */
  chat: string;
  limit: number;
  /** Id of a message of this chat. */
  before: string;
}

/** A page of the messages of one chat, newest first. */
export interface ChatMessagePage {
  /** The messages, in the form of the event `message.new`. */
  docs: WhatsAppMessage[];
  /** Pass it as `before` to get older messages. Empty on the last page. */
  next: string;
}

/** A page of the account's contacts. */
export interface ContactPage {
  /** The contacts, in the form of `chat` in events. */
  docs: WhatsAppChat[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  next: string;
}
