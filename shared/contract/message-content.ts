export const messageTypes = ["text", "image", "video", "audio", "document", "location", "contact"] as const;

/** Variant A, "Media objects"; variant B accepts the same. URLs are public and lead directly to the file. */
export interface ImageObject {
  url: string;
  mimetype: string;
  /** URL of a thumbnail. If absent, each platform has its own replacement. */
  thumbnail?: string;
}
export interface VideoObject extends ImageObject {
  /** Seconds, greater than 0. */
  duration: number;
}
export interface AudioObject {
  url: string;
  mimetype: string;
  /** Seconds, greater than 0. */
  duration: number;
}
export interface DocumentObject {
  url: string;
  /** File name shown in the chat. */
  name: string;
  /** Bytes, greater than 0. */
  size: number;
  mimetype: string;
}
/** Variant A, "Location and contact objects": neither coordinate may be 0. */
export interface LocationObject {
  latitude: number;
  longitude: number;
  name?: string;
  address?: string;
}
export interface ContactObject {
  name: string;
  phone: string;
}

/** The content of a message after validation. `text` is the caption of an image, video or document, and may be empty. */
export type MessageContent =
  | { type: "text"; text: string }
  | { type: "image"; text: string; image: ImageObject }
  | { type: "video"; text: string; video: VideoObject }
  | { type: "audio"; audio: AudioObject }
  | { type: "document"; text: string; document: DocumentObject }
  | { type: "location"; location: LocationObject }
  | { type: "contact"; contact: ContactObject };

/** POST /message/voice. */
export interface VoiceContent {
  audio: AudioObject;
}

/** POST /message/sticker. The picture is converted. */
export interface StickerContent {
  image: Pick<ImageObject, "url" | "mimetype">;
}

/** POST /message/album: 2 to 10 pictures and videos, each with its own caption. */
export interface AlbumContent {
  items: Extract<MessageContent, { type: "image" | "video" }>[];
}

/** Returned when the platform's server has accepted every message of the album. */
export interface AlbumOutput {
  /** Ids of the messages, in the order of the album. One is empty on Telegram if the platform accepted it without returning an id. */
  messageIds: string[];
}

/** POST /message/poll. */
export interface PollContent {
  question: string;
  options: string[];
  /** True if people may choose several options. */
  multiple: boolean;
}

/** What a message may say about other messages and people. Not in the documents. */
export interface MessageContext {
  /** Id or ref of the message that is replied to. */
  replyTo?: string;
  /** People that the text mentions. */
  mentions?: string[];
}

/** Returned when the platform's server has accepted the message. This does not confirm delivery. */
export interface MessageOutput {
  /** Id of the message on the platform. Empty on Telegram if the platform accepted the message without returning an id. */
  messageId: string;
}
