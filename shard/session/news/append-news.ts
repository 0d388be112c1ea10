import { newsMax, type StoredNews } from "../../../shared/cluster/news.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** In one write. Rejects when any row was refused; news may stand twice after such trouble. */
export async function appendNews(redis: RedisClient, rows: readonly StoredNews[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(keys.news, "MAXLEN", "~", newsMax, "*", "n", JSON.stringify(row))));
}
