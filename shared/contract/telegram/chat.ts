import type { ChatKind } from "../page.js";
import type { Count } from "../plain-values.js";
import type { ChatReference } from "./chat-reference.js";
import type { Person, PrivateMessage } from "./webhook-body.js";

/** One message of any chat, in the form of the event `message.new`. */
export interface ChatMessage extends PrivateMessage {
  /** Sender. Present in groups. */
  author?: Person;
}

/** One chat of the account. */
export interface ListedChat {
  /** What the chat is. Supergroups are groups. */
  kind: ChatKind;
  /** The other person, the group or the channel. */
  chat: Person;
  /** Number of unread messages, as reported by the platform. */
  unread: Count;
  /** Newest message of the chat. */
  last: ChatMessage;
}

/** A page of chats, the one with the newest message first. */
export interface ChatPage {
  /** The chats. */
  docs: ListedChat[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  next: string;
}

/** GET /chat/message. `limit` is 1 to 100. `before` is a message id (exclusive); 0 begins with the newest. */
export interface ChatMessageQuery {
  chat: ChatReference;
  limit: number;
  before: number;
}

/** A page of the messages of one chat, newest first. */
export interface ChatMessagePage {
  /** The messages, in the form of the event `message.new`. */
  docs: ChatMessage[];
  /** Pass it as `before` to get older messages. Empty on the last page. */
  next: string;
}

/** A page of the account's contacts. */
export interface ContactPage {
  /** The contacts, in the form of `chat` in events. */
  docs: Person[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  next: string;
}
