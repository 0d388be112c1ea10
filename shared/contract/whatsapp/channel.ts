import type { Count, Instant } from "../plain-values.js";

/** A channel that the account follows or runs. */
export interface Channel {
  /** Channel id; it ends in `@newsletter`. */
  id: string;
  /** Name of the channel. */
  name: string;
  /** URL of its picture; empty without one. */
  picture: string;
  /** True when the account owns or administers it. Messages go only to such channels. */
  isOwner: boolean;
  /** When it was created. */
  created: Instant;
}

export interface ChannelQuery {
  channelId: string;
}

/** GET /channel/message. `limit` 1 to 100, `before` a message id (exclusive), 0: the newest. */
export interface ChannelMessageQuery {
  channelId: string;
  limit: number;
  before: number;
}

/** One message of a channel. The document does not show these records: they are ours, with the fields of variant B that exist here. */
export interface ChannelMessage {
  /** Number of the message within its channel; `before` of the next page. */
  id: string;
  /** The channel that it stands in. */
  channelId: string;
  /** What it is. */
  type: "text" | "image" | "video" | "audio" | "document" | "other";
  /** Its text or caption; empty without one. */
  text: string;
  /** When it was posted. */
  created: Instant;
  /** How often it was seen, as far as the platform tells. */
  views: Count;
  /** Media type of its file; empty without one. */
  mimetype: string;
  /** Bytes of its file; 0 without one. */
  size: Count;
  /** True for audio that was recorded as a voice message. */
  voice: boolean;
  /** True for a round video message. */
  round: boolean;
  /** True for a video without sound that plays by itself and over again. */
  animation: boolean;
}
