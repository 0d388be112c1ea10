import type { EventContact, EventLocation, EventMessage } from "../event-message.js";
import type { Instant } from "../plain-values.js";
import type { SessionEventType, TelegramEventType } from "../webhook-events.js";
import type { TestData } from "../webhook-trial.js";
import type { channelMessageKinds } from "./channel.js";
import type { TextEntity } from "./text-entity.js";

/** Types of events of the account. Receivers get those of private chats (variant B, "Events") unless they request other ones. */
export type WebhookEventType = Exclude<TelegramEventType, SessionEventType> | "test";

/** The body of a webhook request. */
export interface WebhookBody<Type extends WebhookEventType = WebhookEventType> {
  /** Id of the event. Retries have the same id, so a receiver can skip events that it has seen. */
  id: string;
  /** What happened. */
  type: Type;
  /** Id of the session. */
  session: string;
  /** Time of the event on the platform's clock. */
  created: Instant;
  /** Data of the event. */
  data: WebhookData[Type];
}

export interface WebhookData {
  "message.new": PrivateMessage;
  "message.edited": PrivateMessage;
  "message.deleted": DeletedMessages;
  "message.read": ReadMessages;
  "message.reaction": Reaction;
  "poll.vote": PollVote;
  "group.message.new": PrivateMessage;
  "group.message.edited": PrivateMessage;
  "group.message.deleted": DeletedMessages;
  "group.changed": ChangedGroup;
  "channel.message.new": PrivateMessage;
  test: TestData;
}

/** A person, or a group or channel. Unknown values are empty. */
export interface Person {
  /** Id on the platform. Use it as `user`, `group` or `channel` in requests. */
  id: string;
  /** Display name, or title of a group or channel. */
  name: string;
  /** Username without `@`. */
  username: string;
  /** Phone number. Empty unless the person shares it with the account. */
  phone: string;
  /** Signed link to a person's small profile photo (variant `profile`). Empty if there is none. A new photo has a new link. */
  thumbnail: string;
}

export const privateMessageKinds = [
  "text",
  "image",
  "video",
  "audio",
  "sticker",
  "document",
  "location",
  "contact",
  "other",
] as const satisfies readonly ((typeof channelMessageKinds)[number] | "location" | "contact")[];

/** One message of a private chat, group or channel. */
export interface PrivateMessage extends EventMessage {
  /** Number of the message within the account, or within its supergroup or channel. */
  id: string;
  /** Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored. */
  ref?: string;
  /** Other person in a private chat, or the group or channel. */
  chat: Person;
  /** Sender. Present in groups. The group itself if an administrator writes anonymously. */
  author?: Person;
  /** Type of the content. */
  type: (typeof privateMessageKinds)[number];
  /** Text or caption. Empty if there is none. */
  text: string;
  /** Formatting, links and mentions in `text`, in the platform's order. May be empty. */
  entities: TextEntity[];
  /** Time of the message. */
  created: Instant;
  /** True for GIFs and videos without sound that play automatically in a loop. */
  animation: boolean;
  /** Title of audio. Empty if unknown. */
  title: string;
  /** Performer of audio. Empty if unknown. */
  performer: string;
  /** Present when `type` is `location`. */
  location?: MessageLocation;
  /** Present when `type` is `contact`. */
  contact?: MessageContact;
  /** Present when the message is a poll. Its `type` is `other`. */
  poll?: MessagePoll;
}

/** A location in a message. Unknown values are empty. */
export interface MessageLocation extends EventLocation {}

/** A contact in a message. */
export interface MessageContact extends EventContact {}

/** A poll in a message. */
export interface MessagePoll {
  /** Question of the poll. */
  question: string;
  /** Texts of the options. */
  options: string[];
  /** True if a person may choose several options. */
  multiple: boolean;
}

/** Messages that were deleted. */
export interface DeletedMessages {
  /** Other person in a private chat, or the group. */
  chat: Person;
  /** Ids of the deleted messages of this chat. */
  ids: string[];
}

/** Messages that were read. */
export interface ReadMessages {
  /** Other person in the chat. */
  chat: Person;
  /** Last read message. Earlier messages are read too. */
  until: string;
  /** `them`: the other person read the account's messages; `me`: the account read messages on another device. */
  by: "them" | "me";
}

/** A reaction to a message. */
export interface Reaction {
  /** Chat of the message. */
  chat: Person;
  /** Person who reacted. Present in groups. */
  author?: Person;
  /** True if the account reacted from another device. */
  fromMe: boolean;
  /** Id of the message that the reaction belongs to. */
  messageId: string;
  /** Emoji, or the id of a custom emoji in digits. Empty if the reaction was removed. */
  emoji: string;
}

/** A vote in a poll. */
export interface PollVote {
  /** Chat of the poll. */
  chat: Person;
  /** Person who voted. Present in groups. */
  author?: Person;
  /** True if the account voted from another device. */
  fromMe: boolean;
  /** Id of the poll's message. */
  messageId: string;
  /** Texts of the chosen options. Empty if the vote was withdrawn. */
  options: string[];
}

/** A change of a group. */
export interface ChangedGroup {
  /** The group. */
  chat: Person;
  /** Person who made the change. Its `id` is empty if the platform does not say. */
  author: Person;
  /** What changed: `create`, `add`, `remove`, `leave`, `promote`, `demote`, `subject`, `picture`, `pin` or `upgrade`. */
  change: string;
  /** Ids of the members that the change is about. */
  members: string[];
  /** New value: the subject, the id of the pinned message, or the id of the supergroup that replaces the group. Empty if there is none. */
  value: string;
}
