import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";

/** One mark per hour. Marks of more than six weeks are dropped where the file is never rewritten. */
const hourMs = 3_600_000;
const marksMax = 1_000;
/** A mark is made before its secret is gone, so that a crash in between loses no mark; a minute later the secret is gone. */
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

/** Removes the marks up to that time, because no file holds these secrets any more. */
export async function forgetGone(redis: RedisClient, until: number): Promise<void> {
  await redis.zremrangebyscore(keys.goneSecrets, "-inf", until);
}
