import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import type { ArchivedKey } from "./archive-form.js";
import { removeStored } from "./snapshot.js";
import { writeBack } from "./write-back.js";

/** Puts an archive's keys into Redis, in the place of those that are there when it is told to `replace` them. Until it is at its end a mark stands there, on which no process starts. */
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
