import type { EventContact, EventLocation, EventMessage } from "../event-message.js";
import type { Instant } from "../plain-values.js";
import type { DefaultEventType } from "../webhook-events.js";
import type { TestData } from "../webhook-trial.js";
import type { channelMessageKinds } from "./channel.js";
import type { TextEntity } from "./text-entity.js";

/** Variant B, "Events": the types of events that receivers get. Private chats only. */
export type WebhookEventType = DefaultEventType | "test";

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
  test: TestData;
}

/** Other person in a private chat. Unknown values are empty. */
export interface Person {
  /** Platform user id. Use it as `user` in requests. */
  id: string;
  /** Display name. */
  name: string;
  /** Username without `@`. */
  username: string;
  /** Phone number. Empty unless the person shares it with the account. */
  phone: string;
  /** Signed link to the small profile photo (variant `profile`). Empty if there is none. A new photo has a new link. */
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

/** One message of a private chat. */
export interface PrivateMessage extends EventMessage {
  /** Number of the message within the account. */
  id: string;
  /** Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored. */
  ref?: string;
  /** Other person in the chat. */
  chat: Person;
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
}

/** A location in a message. Unknown values are empty. */
export interface MessageLocation extends EventLocation {}

/** A contact in a message. */
export interface MessageContact extends EventContact {}

/** Messages that were deleted. */
export interface DeletedMessages {
  /** Other person in the chat. */
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
