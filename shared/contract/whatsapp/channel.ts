import type { Count, Instant } from "../plain-values.js";

/** A channel that the account follows or manages. */
export interface Channel {
  /** Channel id, ends in `@newsletter`. */
  id: string;
  /** Name of the channel. */
  name: string;
  /** URL of the channel's picture. Empty if there is none. */
  picture: string;
  /** True if the account owns or manages the channel. The account can post only to these channels. */
  isOwner: boolean;
  /** Time of creation. */
  created: Instant;
}

export interface ChannelQuery {
  channelId: string;
}

/** POST /channel/follow and /channel/leave: a channel by its id, or by the code in its link. */
export interface ChannelReferenceInput {
  channel: { kind: "id"; id: string } | { kind: "invite"; code: string };
}

/** GET /channel/message. `limit` is 1 to 100. `before` is a message id (exclusive); 0 begins with the newest. */
export interface ChannelMessageQuery {
  channelId: string;
  limit: number;
  before: number;
}

/** One message of a channel. */
export interface ChannelMessage {
  /** Number of the message within its channel. Pass it as `before` to get older messages. */
  id: string;
  /** Id of the channel. */
  channelId: string;
  /** Type of the content. */
  type: "text" | "image" | "video" | "audio" | "document" | "other";
  /** Text or caption. Empty if there is none. */
  text: string;
  /** Time of the post. */
  created: Instant;
  /** Number of views, as reported by the platform. */
  views: Count;
  /** Media type of the file. Empty without a file. */
  mimetype: string;
  /** Size of the file in bytes. 0 without a file. */
  size: Count;
  /** True for voice messages. */
  voice: boolean;
  /** True for round video messages. */
  round: boolean;
  /** True for videos without sound that play automatically in a loop. */
  animation: boolean;
}
