import type { Count, Instant } from "../plain-values.js";
import type { ChatReference } from "./chat-reference.js";
import type { TextEntity } from "./text-entity.js";

/** A channel that the account follows or manages. Groups are not included. */
export interface Channel {
  /** Channel id, starts with `-100`. */
  id: string;
  /** Name of the channel. */
  name: string;
  /** Username without `@`. Empty for private channels. */
  username: string;
  /** Small photo as a data URI. May be empty. */
  picture: string;
  /** True if the account created or manages the channel. Posting also needs the right to post. */
  isOwner: boolean;
  /** Time when the account joined. */
  created: Instant;
}

/** GET /channel/{channelId}: a channel id or the username of a public channel. */
export interface ChannelQuery {
  channelId: string;
}

/** POST /channel/follow and /channel/leave: a channel by id, username or link, or by an invite link. */
export interface ChannelReferenceInput {
  channel: ChatReference | { kind: "invite"; link: string };
}

/** GET /channel/message. `limit` 1 to 100, `before` a message id (exclusive), newest first. */
export interface ChannelMessageQuery {
  channelId: string;
  limit: number;
  before: number;
}

export const channelMessageKinds = ["text", "image", "video", "audio", "sticker", "document", "other"] as const;

/** One message of a channel, with media as signed links. */
export interface ChannelMessage {
  /** Number of the message within its channel. Pass it as `before` to get older messages. */
  id: string;
  /** Id of the channel. */
  channelId: string;
  /** Type of the content. */
  type: (typeof channelMessageKinds)[number];
  /** Text or caption. Empty if there is none. */
  text: string;
  /** Formatting, links and mentions in `text`, in the platform's order. May be empty. */
  entities: TextEntity[];
  /** Same value in all messages of one album. Empty outside of albums. */
  albumId: string;
  /** Time of the post. */
  created: Instant;
  /** Time of the last edit, in ISO 8601. Empty if never edited. */
  edited: string;
  /** Number of views. */
  views: Count;
  /** Signed link to the file. Absolute if the deployment has a public base URL. Empty without media. */
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
}
