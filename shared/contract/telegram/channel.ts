import type { Count, Instant } from "../plain-values.js";
import type { TextEntity } from "./text-entity.js";

/** A channel that the account follows or runs; never a group. */
export interface Channel {
  /** Channel id; it starts with `-100`. */
  id: string;
  /** Name of the channel. */
  name: string;
  /** Username without `@`; empty for private channels. */
  username: string;
  /** Small photo as a data URI; may be empty. */
  picture: string;
  /** True when the account created or administers it. Posting needs the right to. */
  isOwner: boolean;
  /** When the account joined it. */
  created: Instant;
}

/** GET /channel/{channelId}: a channel id or the username of a public channel. */
export interface ChannelQuery {
  channelId: string;
}

/** GET /channel/message. `limit` 1 to 100, `before` a message id (exclusive), newest first. */
export interface ChannelMessageQuery {
  channelId: string;
  limit: number;
  before: number;
}

export const channelMessageKinds = ["text", "image", "video", "audio", "sticker", "document", "other"] as const;

/** One message of a channel. The document does not show these records: they are ours, with media as signed links. */
export interface ChannelMessage {
  /** Number of the message within its channel; `before` of the next page. */
  id: string;
  /** The channel that it stands in. */
  channelId: string;
  /** What it is. */
  type: (typeof channelMessageKinds)[number];
  /** Its text or caption; empty without one. */
  text: string;
  /** What parts of `text` are: formatted, links, people. In the order of the platform; empty without any. */
  entities: TextEntity[];
  /** The same in all messages of one album; empty outside of albums. */
  albumId: string;
  /** When it was posted. */
  created: Instant;
  /** When it was last edited, ISO 8601; empty when never. */
  edited: string;
  /** How often it was seen. */
  views: Count;
  /** Signed link of its file, absolute when the service knows its base address; empty without media. */
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
}
