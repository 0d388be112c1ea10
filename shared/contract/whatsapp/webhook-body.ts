import type { EventContact, EventLocation, EventMessage } from "../event-message.js";
import type { Instant } from "../plain-values.js";
import type { SessionEventData } from "../session-events.js";
import type { WhatsAppEventType } from "../webhook-events.js";

/** Body of a webhook request of a WhatsApp session. */
export interface WhatsAppWebhookBody<Type extends WhatsAppEventType | "test" = WhatsAppEventType | "test"> {
  /** Id of the event. Retries have the same id, so a receiver can skip events that it has seen. */
  id: string;
  /** What happened. */
  type: Type;
  /** Id of the session. */
  session: string;
  /** Time of the event on the platform's clock. */
  created: Instant;
  /** Data of the event. */
  data: WhatsAppEventData[Type];
}

export interface WhatsAppEventData extends SessionEventData {
  "message.new": WhatsAppMessage;
  "message.edited": WhatsAppMessage;
  "message.deleted": DeletedWhatsAppMessages;
  "message.read": ReadWhatsAppMessages;
  "message.delivered": DeliveredWhatsAppMessages;
  "message.reaction": WhatsAppReaction;
  "message.failed": FailedWhatsAppMessage;
  "poll.vote": WhatsAppPollVote;
  "group.message.new": WhatsAppMessage;
  "group.message.edited": WhatsAppMessage;
  "group.message.deleted": DeletedWhatsAppMessages;
  "group.changed": ChangedWhatsAppGroup;
  "channel.message.new": WhatsAppMessage;
  "call.offered": WhatsAppCall;
}

/** A person, group or channel on WhatsApp. Unknown values are empty. */
export interface WhatsAppChat {
  /** JID of the chat, such as `628123@s.whatsapp.net`, `123@lid` or `123@g.us`. Use it as `user`, `group` or `newsletter` in requests. */
  id: string;
  /** Name in the account's address book, or else the name that the person shows. Subject of a group. */
  name: string;
  /** Username without `@`. */
  username: string;
  /** Phone number in digits. Empty while the platform has not revealed it. */
  phone: string;
  /** Anonymous id of the person, `…@lid`. */
  lid: string;
  /** Link to a picture. Always empty at present. */
  thumbnail: string;
}

export const whatsappMessageTypes = [
  "text",
  "image",
  "video",
  "audio",
  "sticker",
  "document",
  "location",
  "contact",
  "poll",
  "other",
] as const;

/** One message. The fields that Telegram's messages have too have the same meaning. */
export interface WhatsAppMessage extends EventMessage {
  /** Id of the message, unique within its chat. */
  id: string;
  /** Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored. */
  ref?: string;
  /** Other person in a private chat, or the group or channel. */
  chat: WhatsAppChat;
  /** Sender. Present in groups. */
  author?: WhatsAppChat;
  /** Type of the content. */
  type: (typeof whatsappMessageTypes)[number];
  /** Text, caption or question of a poll. Empty if there is none. */
  text: string;
  /** Always empty: WhatsApp writes formatting into the text. */
  entities: object[];
  /** JIDs of the people that the text mentions. */
  mentions: string[];
  /** Time of the message. In `message.edited` it is the time of the edit, as WhatsApp does not repeat the first. */
  created: Instant;
  /** True if the message was forwarded. */
  forwarded: boolean;
  /** True for media that may be viewed once. Its `type` is `other`, and its file is not available. */
  viewOnce: boolean;
  /** True for GIFs. */
  animation: boolean;
  /** Always empty: WhatsApp does not send titles. */
  title: string;
  /** Always empty: WhatsApp does not send performers. */
  performer: string;
  /** Present when `type` is `location`. */
  location?: WhatsAppLocation;
  /** Present when `type` is `contact`. */
  contact?: WhatsAppContact;
  /** Present when `type` is `poll`. */
  poll?: WhatsAppPoll;
}

/** A location in a message. Unknown values are empty. */
export interface WhatsAppLocation extends EventLocation {}

/** A contact in a message. */
export interface WhatsAppContact extends EventContact {}

/** A poll in a message. */
export interface WhatsAppPoll {
  /** Texts of the options. */
  options: string[];
  /** True if a person may choose several options. */
  multiple: boolean;
}

/** Messages that were deleted for everyone. */
export interface DeletedWhatsAppMessages {
  /** Chat of the messages. */
  chat: WhatsAppChat;
  /** Person who deleted them. Present in groups. */
  author?: WhatsAppChat;
  /** Ids of the deleted messages. */
  ids: string[];
}

/** Messages that were read. */
export interface ReadWhatsAppMessages {
  /** Chat of the messages. */
  chat: WhatsAppChat;
  /** The last of `ids`. Earlier messages of the chat are usually read too. */
  until: string;
  /** Ids of the messages that the platform named. */
  ids: string[];
  /** `them`: the other person read the account's messages; `me`: the account read messages on another device. */
  by: "them" | "me";
}

/** Messages of the account that reached a device of the other person. */
export interface DeliveredWhatsAppMessages {
  /** Chat of the messages. */
  chat: WhatsAppChat;
  /** Person who received them. Present in groups. */
  author?: WhatsAppChat;
  /** Ids of the messages. */
  ids: string[];
}

/** A reaction to a message. */
export interface WhatsAppReaction {
  /** Chat of the message. */
  chat: WhatsAppChat;
  /** Person who reacted. Present in groups. */
  author?: WhatsAppChat;
  /** True if the account reacted from another device. */
  fromMe: boolean;
  /** Id of the message that the reaction belongs to. */
  messageId: string;
  /** Empty if the reaction was removed. */
  emoji: string;
}

/** A vote in a poll. */
export interface WhatsAppPollVote {
  /** Chat of the poll. */
  chat: WhatsAppChat;
  /** Person who voted. Present in groups. */
  author?: WhatsAppChat;
  /** True if the account voted from another device. */
  fromMe: boolean;
  /** Id of the poll's message. */
  messageId: string;
  /** Texts of the chosen options. Empty if the vote was withdrawn. */
  options: string[];
}

/** A message of the account that the platform refused after it had accepted it. */
export interface FailedWhatsAppMessage {
  /** Chat of the message. */
  chat: WhatsAppChat;
  /** Id of the message, as `POST /message` returned it. */
  id: string;
  /** Error code of the platform. */
  code: string;
}

/** A change of a group. */
export interface ChangedWhatsAppGroup {
  /** The group. */
  chat: WhatsAppChat;
  /** Person who made the change. Its `id` is empty if the platform does not say. */
  author: WhatsAppChat;
  /** What changed, in the platform's word: `add`, `remove`, `promote`, `demote`, `leave`, `subject`, `description`, and others. */
  change: string;
  /** JIDs of the members that the change is about. */
  members: string[];
  /** New value, such as the subject. Empty if there is none. */
  value: string;
}

/** An incoming call. */
export interface WhatsAppCall {
  /** Id of the call. */
  id: string;
  /** The caller. */
  chat: WhatsAppChat;
  /** True for a video call. */
  video: boolean;
  /** JID of the group that is called. Empty for a call to the account alone. */
  group: string;
}
