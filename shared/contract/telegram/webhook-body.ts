import type { Count, Instant } from "../plain-values.js";
import type { TestData } from "../webhook-trial.js";
import type { channelMessageKinds } from "./channel.js";
import type { TextEntity } from "./text-entity.js";

/** Variant B, "Events": what a receiver is told of. Private chats only. */
export const webhookEventTypes = ["message.new", "message.edited", "message.deleted", "message.read", "test"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The body of a webhook request. */
export interface WebhookBody<Type extends WebhookEventType = WebhookEventType> {
  /** Id of the event, the same in every repeat: what was seen once may be passed over. */
  id: string;
  /** What happened. */
  type: Type;
  /** Id of the session whose account it concerns. */
  session: string;
  /** When it happened, by the platform's clock. */
  created: Instant;
  /** What the type has to tell. */
  data: WebhookData[Type];
}

export interface WebhookData {
  "message.new": PrivateMessage;
  "message.edited": PrivateMessage;
  "message.deleted": DeletedMessages;
  "message.read": ReadMessages;
  test: TestData;
}

/** The other side of a private chat. What is not known is empty. */
export interface Person {
  /** Platform user id; usable as `user` in requests. */
  id: string;
  /** Name to show. */
  name: string;
  /** Username without `@`. */
  username: string;
  /** Number; empty unless it is shared with the account. */
  phone: string;
  /** Signed link of the small profile photo (variant `profile`); empty without one. A new photo gets a new link. */
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

/** One message of a private chat, in the words of the channel message record where both have the field. */
export interface PrivateMessage {
  /** Number of the message within the account. */
  id: string;
  /** The person whom the chat is with. */
  chat: Person;
  /** True when the account itself wrote it, on another device. */
  fromMe: boolean;
  /** What it is. */
  type: (typeof privateMessageKinds)[number];
  /** Its text or caption; empty without one. */
  text: string;
  /** What parts of `text` are: formatted, links, people. In the order of the platform; empty without any. */
  entities: TextEntity[];
  /** The same in all messages of one album; empty outside of albums. */
  albumId: string;
  /** When it was written. */
  created: Instant;
  /** When it was last edited, ISO 8601; empty when never. */
  edited: string;
  /** Id of the message that it answers; empty otherwise. */
  replyTo: string;
  /** Signed link of its file; empty without media. */
  url: string;
  /** Signed link of its thumbnail; empty without one. */
  thumbnail: string;
  /** Media type of its file; empty without one. */
  mimetype: string;
  /** File name of a document; empty otherwise. */
  name: string;
  /** Bytes of the file behind `url`; 0 without media. */
  size: Count;
  /** Seconds; 0 unless audio or video. */
  duration: number;
  /** Pixels; 0 when unknown. */
  width: Count;
  /** Pixels; 0 when unknown. */
  height: Count;
  /** True for audio that was recorded as a voice message. */
  voice: boolean;
  /** True for a round video message. */
  round: boolean;
  /** True for a video without sound, or a GIF, that plays by itself and over again. */
  animation: boolean;
  /** Title of audio; empty when unknown. */
  title: string;
  /** Performer of audio; empty when unknown. */
  performer: string;
  /** Present when `type` is `location`. */
  location?: ToldLocation;
  /** Present when `type` is `contact`. */
  contact?: ToldContact;
}

/** A place that was sent. What is not known is empty. */
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

/** A contact that was sent. */
export interface ToldContact {
  /** Name of the contact. */
  name: string;
  /** Number of the contact. */
  phone: string;
}

/** Messages that were deleted. */
export interface DeletedMessages {
  /** The person whom the chat is with. */
  chat: Person;
  /** Ids of the deleted messages of this chat. */
  ids: string[];
}

/** Messages that were read. */
export interface ReadMessages {
  /** The person whom the chat is with. */
  chat: Person;
  /** All messages up to this id are read. */
  until: string;
  /** `them`: the other side read ours; `me`: the account read theirs, on another device. */
  by: "them" | "me";
}
