import { liveEventsMax, type StoredLiveEvent } from "../../../shared/cluster/live-events.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** Appends all rows. Rejects when Redis refused any of them; rows may then stand twice after a retry. */
export async function appendLiveEvents(redis: RedisClient, rows: readonly StoredLiveEvent[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(keys.liveEvents, "MAXLEN", "~", liveEventsMax, "*", "n", JSON.stringify(row))));
}
