import type { Log } from "../../../shared/log/logger.js";
import type { DescriptionCache, MediaHolder } from "../../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../../shared/media/message-media.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { channels } from "../../../shared/redis/keys.js";

export interface DeletedMediaOptions {
  readonly descriptions: Pick<DescriptionCache, "forgetMessages">;
  /** Where the routers listen. */
  readonly redis: Pick<RedisClient, "publish">;
  /** What is cached of a deletion's messages was left to run out. */
  readonly onLeft: () => void;
  readonly log: Log;
}

/** Ends the links of messages that the platform says are deleted: what is cached of them goes, and every router is told. */
export class DeletedMedia {
  /** Of deletions whose cached descriptions are being removed. */
  private removing = 0;

  constructor(private readonly options: DeletedMediaOptions) {}

  /**
   * Resolves when the routers were told; never rejects, because a router that was not told asks again after a while. The cache is cleaned afterwards and not
   * waited for: it may be away, and updates would wait with it.
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

  /** Never rejects. What is left in the cache is not shown: routers know of the deletion for longer than they take a description's word. */
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

/** A cache that answers is done with each in milliseconds. */
const removingMax = 64;

/** Of one notice. */
const idsMax = 500;

function buildNotice({ session, account }: MediaHolder, { sequence, ids }: DeletedMessages): string {
  return `${session} ${account} ${sequence} ${ids.join(",")}`;
}
