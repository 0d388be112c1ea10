import type { Log } from "../../../shared/log/logger.js";
import type { DescriptionCache, MediaHolder } from "../../../shared/media/description-cache.js";
import type { DeletedMessages, EditedMessages } from "../../../shared/media/message-media.js";
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

/**
 * Removes the cached descriptions of messages that the platform reports as deleted or edited, and notifies every router. The links of
 * deleted messages end. The links of edited ones lead to their new files.
 */
export class DeletedMedia {
  /** Deletions whose cached descriptions are being removed. */
  private removing = 0;

  constructor(private readonly options: DeletedMediaOptions) {}

  /**
   * Resolves when the routers were notified. Never rejects, because a router without the notice checks again after a while. The cache is
   * cleaned afterwards, so that its failure does not delay updates.
   */
  async forget(holder: MediaHolder, deleted: DeletedMessages): Promise<void> {
    await this.notify(channels.deletedMedia, holder, deleted);
    void this.remove(holder, deleted);
  }

  /** Does the same for edited messages. */
  async refresh(holder: MediaHolder, edited: EditedMessages): Promise<void> {
    await this.notify(channels.editedMedia, holder, edited);
    void this.remove(holder, edited);
  }

  private async notify(channel: string, holder: MediaHolder, messages: DeletedMessages): Promise<void> {
    const { redis, log } = this.options;
    try {
      for (let at = 0; at < messages.ids.length; at += idsMax)
        await redis.publish(channel, buildNotice(holder, { ...messages, ids: messages.ids.slice(at, at + idsMax) }));
    } catch (error) {
      log.warn({ err: error }, "changed messages not published to routers");
    }
  }

  /**
   * Never rejects. Descriptions of deleted messages that are left in the cache are not shown: routers remember the deletion for longer than
   * they trust a description.
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
      log.warn({ err: error }, "media of changed messages not removed");
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
