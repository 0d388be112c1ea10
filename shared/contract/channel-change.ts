/** POST /channel, after validation. */
export interface NewChannelInput {
  name: string;
  /** May be empty. */
  description: string;
  /** URL of a picture. */
  picture?: string;
}

/** PATCH /channel/{channelId}, after validation. Absent fields stay as they are. */
export interface ChannelChangeInput {
  channelId: string;
  name?: string;
  /** An empty text removes it. */
  description?: string;
  /** URL of a picture. An empty text removes it. */
  picture?: string;
}

/** The response of POST /channel/leave. */
export interface LeftChannel {
  /** Id of the channel. */
  id: string;
}
