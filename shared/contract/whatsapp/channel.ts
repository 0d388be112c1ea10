/** Variant A, "Channel record". `picture` is a URL; `created` is ISO 8601. */
export interface Channel {
  id: string;
  name: string;
  picture: string;
  isOwner: boolean;
  created: string;
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

/** The document does not show channel message records; this is ours, with the fields of variant B that exist here. */
export interface ChannelMessage {
  id: string;
  channelId: string;
  type: "text" | "image" | "video" | "audio" | "document" | "other";
  text: string;
  /** ISO 8601. */
  created: string;
  views: number;
  mimetype: string;
  /** Bytes; 0 without media. */
  size: number;
}
