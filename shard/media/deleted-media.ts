import type { SessionId } from "../../shared/contract/ids.js";
import type { Log } from "../../shared/log/logger.js";
import type { DescriptionCache, MediaHolder } from "../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../shared/media/message-media.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { channels } from "../../shared/redis/keys.js";

export interface DeletedMediaOptions {
  readonly descriptions: Pick<DescriptionCache, "forgetMessages">;
  /** Where the routers listen. */
  readonly redis: RedisClient;
  readonly log: Log;
}

/** Ends the links of messages that the platform says are deleted: what is cached of them goes, and every router is told. */
export class DeletedMedia {
  constructor(private readonly options: DeletedMediaOptions) {}

  /** Never rejects: a router that was not told asks again after a while, and a cache that does not answer is no answer to its readers either. */
  async forget(holder: MediaHolder, deleted: DeletedMessages): Promise<void> {
    const { descriptions, redis, log } = this.options;
    try {
      await descriptions.forgetMessages(holder, deleted);
      for (let at = 0; at < deleted.ids.length; at += idsMax) await redis.publish(channels.deletedMedia, buildNotice(holder.session, { ...deleted, ids: deleted.ids.slice(at, at + idsMax) }));
    } catch (error) {
      log.warn({ err: error }, "media of deleted messages was not forgotten");
    }
  }
}

/** Of one notice. */
const idsMax = 500;

function buildNotice(session: SessionId, { sequence, ids }: DeletedMessages): string {
  return `${session} ${sequence} ${ids.join(",")}`;
}
