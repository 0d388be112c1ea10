import { isSessionId } from "../../shared/contract/ids.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../shared/media/message-media.js";
import { channels } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";

const followed = [channels.deletedMedia, channels.editedMedia];

type Listener = (holder: MediaHolder, messages: DeletedMessages) => void;

/**
 * Receives notices of deleted and edited messages with media from shards. If a notice is lost, a router remembers the link a few seconds
 * too long.
 */
export class DeletionFeed {
  private readonly listeners = new Map<string, Set<Listener>>(followed.map((channel) => [channel, new Set()]));
  private readonly onMessage = (channel: string, message: string): void => {
    const listeners = this.listeners.get(channel);
    if (listeners === undefined) return;
    const [session = "", account = "", sequence = "", ids = ""] = message.split(" ");
    if (!isSessionId(session)) return;
    for (const listener of listeners) listener({ session, account }, { sequence, ids: ids.split(",") });
  };

  constructor(private readonly subscriber: RedisClient) {}

  onDeleted(listener: Listener): void {
    this.listeners.get(channels.deletedMedia)?.add(listener);
  }

  onEdited(listener: Listener): void {
    this.listeners.get(channels.editedMedia)?.add(listener);
  }

  async start(): Promise<void> {
    this.subscriber.on("message", this.onMessage);
    await this.subscriber.subscribe(...followed);
  }

  stop(): void {
    this.subscriber.off("message", this.onMessage);
  }
}
