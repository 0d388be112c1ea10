/** Variant B, "Channel record". `id` starts with `-100`; `created` is the join date, ISO 8601. */
export interface Channel {
  id: string;
  name: string;
  username: string;
  picture: string;
  isOwner: boolean;
  created: string;
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

/**
 * The document does not show channel message records; this is ours, with media as signed links.
 * `url` and `thumbnail` are links of the media endpoint, absolute when the service knows its base address; empty without media.
 */
export interface ChannelMessage {
  id: string;
  channelId: string;
  type: (typeof channelMessageKinds)[number];
  text: string;
  /** ISO 8601. */
  created: string;
  /** ISO 8601; empty when never edited. */
  edited: string;
  views: number;
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
}
