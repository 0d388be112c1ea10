import type { Count, Instant } from "../plain-values.js";
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
export interface PrivateMessage {
  /** Number of the message within the account. */
  id: string;
  /** Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored. */
  ref?: string;
  /** Other person in the chat. */
  chat: Person;
  /** True if the account sent the message from another device. */
  fromMe: boolean;
  /** Type of the content. */
  type: (typeof privateMessageKinds)[number];
  /** Text or caption. Empty if there is none. */
  text: string;
  /** Formatting, links and mentions in `text`, in the platform's order. May be empty. */
  entities: TextEntity[];
  /** Same value in all messages of one album. Empty outside of albums. */
  albumId: string;
  /** Time of the message. */
  created: Instant;
  /** Time of the last edit, in ISO 8601. Empty if never edited. */
  edited: string;
  /** Id of the message that this message replies to. Empty otherwise. */
  replyTo: string;
  /** Signed link to the file. Empty without media. */
  url: string;
  /** Signed link to the thumbnail. Empty if there is none. */
  thumbnail: string;
  /** Media type of the file. Empty without a file. */
  mimetype: string;
  /** File name of a document. Empty otherwise. */
  name: string;
  /** Size of the file at `url` in bytes. 0 without media. */
  size: Count;
  /** Length of audio or video in seconds. 0 otherwise. */
  duration: number;
  /** Pixels. 0 if unknown. */
  width: Count;
  /** Pixels. 0 if unknown. */
  height: Count;
  /** True for voice messages. */
  voice: boolean;
  /** True for round video messages. */
  round: boolean;
  /** True for GIFs and videos without sound that play automatically in a loop. */
  animation: boolean;
  /** Title of audio. Empty if unknown. */
  title: string;
  /** Performer of audio. Empty if unknown. */
  performer: string;
  /** Present when `type` is `location`. */
  location?: ToldLocation;
  /** Present when `type` is `contact`. */
  contact?: ToldContact;
}

/** A location in a message. Unknown values are empty. */
export interface ToldLocation {
  /** Degrees. */
  latitude: number;
  /** Degrees. */
  longitude: number;
  /** Name of the place. */
  name: string;
  /** Address of the place. */
  address: string;
}

/** A contact in a message. */
export interface ToldContact {
  /** Name of the contact. */
  name: string;
  /** Number of the contact. */
  phone: string;
}

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
