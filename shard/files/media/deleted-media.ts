import type { Log } from "../../../shared/log/logger.js";
import type { DescriptionCache, MediaHolder } from "../../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../../shared/media/message-media.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { channels } from "../../../shared/redis/keys.js";

export interface DeletedMediaOptions {
  readonly descriptions: Pick<DescriptionCache, "forgetMessages">;
  /** Publishes to the routers. */
  readonly redis: Pick<RedisClient, "publish">;
  /** Called when cached descriptions of deleted messages were left to expire. */
  readonly onLeft: () => void;
  readonly log: Log;
}

/** Ends the links of messages that the platform reports as deleted: removes their cached descriptions and notifies every router. */
export class DeletedMedia {
  /** Deletions whose cached descriptions are being removed. */
  private removing = 0;

  constructor(private readonly options: DeletedMediaOptions) {}

  /**
   * Resolves when the routers were notified. Never rejects, because a router without the notice checks again after a while. The cache is
   * cleaned afterwards, so that its failure does not delay updates.
   */
  async forget(holder: MediaHolder, deleted: DeletedMessages): Promise<void> {
    const { redis, log } = this.options;
    try {
      for (let at = 0; at < deleted.ids.length; at += idsMax)
        await redis.publish(channels.deletedMedia, buildNotice(holder, { ...deleted, ids: deleted.ids.slice(at, at + idsMax) }));
    } catch (error) {
      log.warn({ err: error }, "deleted messages not published to routers");
    }
    void this.remove(holder, deleted);
  }

  /**
   * Never rejects. Descriptions left in the cache are not shown: routers remember the deletion for longer than they trust a description.
   */
  private async remove(holder: MediaHolder, deleted: DeletedMessages): Promise<void> {
    const { descriptions, onLeft, log } = this.options;
    if (this.removing >= removingMax) {
      onLeft();
      return;
    }
    this.removing += 1;
    try {
      await descriptions.forgetMessages(holder, deleted);
    } catch (error) {
      onLeft();
      log.warn({ err: error }, "media of deleted messages not removed");
    } finally {
      this.removing -= 1;
    }
  }
}

/** A working cache finishes each in milliseconds. */
const removingMax = 64;

/** Message ids in one notice. */
const idsMax = 500;

function buildNotice({ session, account }: MediaHolder, { sequence, ids }: DeletedMessages): string {
  return `${session} ${account} ${sequence} ${ids.join(",")}`;
}
