import { isSessionId } from "../../shared/contract/ids.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../shared/media/message-media.js";
import { channels } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";

type Listener = (holder: MediaHolder, deleted: DeletedMessages) => void;

/** Receives notices of deleted messages with media from shards. If a notice is lost, a router remembers the link a few seconds too long. */
export class DeletionFeed {
  private readonly listeners = new Set<Listener>();
  private readonly onMessage = (channel: string, message: string): void => {
    if (channel !== channels.deletedMedia) return;
    const [session = "", account = "", sequence = "", ids = ""] = message.split(" ");
    if (!isSessionId(session)) return;
    for (const listener of this.listeners) listener({ session, account }, { sequence, ids: ids.split(",") });
  };

  constructor(private readonly subscriber: RedisClient) {}

  onDeleted(listener: Listener): void {
    this.listeners.add(listener);
  }

  async start(): Promise<void> {
    this.subscriber.on("message", this.onMessage);
    await this.subscriber.subscribe(channels.deletedMedia);
  }

  stop(): void {
    this.subscriber.off("message", this.onMessage);
  }
}
