import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";

/** Marks are hourly. If the file is never rewritten, only the marks of about six weeks are kept. */
const hourMs = 3_600_000;
const marksMax = 1_000;
/** A mark is set before its data is deleted, so that a crash loses no mark. It counts from a minute later. */
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

/** Removes the marks of data that a rewrite has erased from the file. */
export async function forgetGone(redis: RedisClient, until: number): Promise<void> {
  await redis.zremrangebyscore(keys.goneSecrets, "-inf", until);
}
