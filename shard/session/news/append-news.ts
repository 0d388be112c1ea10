import { newsMax, type StoredNews } from "../../../shared/cluster/news.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** Appends all rows. Rejects when Redis refused any of them; rows may then stand twice after a retry. */
export async function appendNews(redis: RedisClient, rows: readonly StoredNews[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(keys.news, "MAXLEN", "~", newsMax, "*", "n", JSON.stringify(row))));
}
