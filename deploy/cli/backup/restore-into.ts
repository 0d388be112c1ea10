import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import type { ArchivedKey } from "./archive-form.js";
import { removeStored } from "./snapshot.js";
import { writeBack } from "./write-back.js";

/**
 * Writes the keys of an archive into Redis; `replace` deletes the stored keys first. Until it ends, a marker prevents every process from
 * starting.
 */
export async function restoreInto(
  redis: RedisClient,
  archived: AsyncIterable<ArchivedKey>,
  { replace }: { replace: boolean },
  onBatch: (keys: number) => void,
): Promise<void> {
  await redis.set(keys.restoring, new Date().toISOString());
  if (replace) await removeStored(redis);
  await writeBack(redis, archived, onBatch);
  await redis.del(keys.restoring);
}
