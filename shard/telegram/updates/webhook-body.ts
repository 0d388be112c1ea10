import type { channelMessageKinds } from "../../../shared/contract/telegram/channel.js";

/** Variant B, "Events": what a receiver is told of. Private chats only. */
export const webhookEventTypes = ["message.new", "message.edited", "message.deleted", "message.read"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The body of a webhook request. `id` is the same in every repeat; `created` is ISO 8601. */
export interface WebhookBody<Type extends WebhookEventType = WebhookEventType> {
  id: string;
  type: Type;
  /** The session's id. */
  session: string;
  created: string;
  data: WebhookData[Type];
}

export interface WebhookData {
  "message.new": PrivateMessage;
  "message.edited": PrivateMessage;
  "message.deleted": DeletedMessages;
  "message.read": ReadMessages;
}

/** The other side of a private chat. What is not known is empty. */
export interface Person {
  /** Platform user id; usable as `user` in requests. */
  id: string;
  name: string;
  username: string;
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
  id: string;
  /** The person whom the chat is with. */
  chat: Person;
  /** True when the account itself wrote it, on another device. */
  fromMe: boolean;
  type: (typeof privateMessageKinds)[number];
  text: string;
  /** ISO 8601. */
  created: string;
  /** ISO 8601; empty when never edited. */
  edited: string;
  /** Id of the message that it answers; empty otherwise. */
  replyTo: string;
  /** Signed links of the media endpoint; empty without media. */
  url: string;
  thumbnail: string;
  mimetype: string;
  /** File name of a document; empty otherwise. */
  name: string;
  /** Bytes of the file behind `url`; 0 without media. */
  size: number;
  /** Seconds; 0 unless audio or video. */
  duration: number;
  /** Pixels; 0 when unknown. */
  width: number;
  height: number;
  /** Present when `type` is `location`. */
  location?: { latitude: number; longitude: number; name: string; address: string };
  /** Present when `type` is `contact`. */
  contact?: { name: string; phone: string };
}

export interface DeletedMessages {
  chat: Person;
  /** Ids of the deleted messages of this chat. */
  ids: string[];
}

export interface ReadMessages {
  chat: Person;
  /** All messages up to this id are read. */
  until: string;
  /** `them`: the other side read ours; `me`: the account read theirs, on another device. */
  by: "them" | "me";
}
