import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";

/** Marks are one for each hour. More than six weeks of them are not kept, where nothing is ever rewritten. */
const hourMs = 3_600_000;
const marksMax = 1_000;
/** A mark is made before what it stands for is gone, so that a crash between the two loses none; a minute later it is. */
const graceMs = 60_000;

/**
 * Marks a sealed data key that leaves Redis `afterMs` from now. The append-only file keeps it, and
 * the data under it, until it is rewritten.
 */
export async function markGone(redis: RedisClient, afterMs = 0): Promise<void> {
  const [seconds] = await redis.time();
  const at = Number(seconds) * 1_000 + afterMs + graceMs;
  await redis.zadd(keys.goneSecrets, at, String(Math.floor(at / hourMs)));
  await redis.zremrangebyrank(keys.goneSecrets, marksMax, -1);
}

/** All that was gone by then is in no file any more. */
export async function forgetGone(redis: RedisClient, until: number): Promise<void> {
  await redis.zremrangebyscore(keys.goneSecrets, "-inf", until);
}
