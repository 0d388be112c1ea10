import typia from "typia";
import type { News, StoredNews } from "../../../shared/cluster/news.js";
import { newsMax } from "../../../shared/cluster/news.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** An event as stored in Redis. */
export interface NewsRow {
  /** Id of its entry. Ids only grow. */
  readonly id: string;
  /** `undefined` for a form that this version does not know. */
  readonly news: StoredNews | undefined;
}

/**
 * Events per read of a router or a stream, so that a client that keeps up does not fall behind in a burst. About 50 KB, the most that a
 * slow client makes the engine hold.
 */
export const newsAtOnce = 200;

/** Lifetime of the listener marker: three renewal intervals. */
const heardMs = 15_000;

/** Renews the listener marker. Shards publish some events only while it exists. */
export async function markListener(redis: RedisClient): Promise<void> {
  await redis.set(keys.newsHeard, "1", "PX", heardMs);
}

/** Position before all events. */
export const firstPosition = "0-0";

/** Returns the newest id, or `firstPosition` before the first event. */
export async function newestPosition(redis: RedisClient): Promise<string> {
  const [newest] = await redis.xrevrange(keys.news, "+", "-", "COUNT", 1);
  return newest?.[0] ?? firstPosition;
}

/** Returns at most `count` events after `after`, in order. */
export async function newsAfter(redis: RedisClient, after: string, count: number): Promise<NewsRow[]> {
  const entries = await redis.xrange(keys.news, `(${after}`, "+", "COUNT", count);
  return entries.map(([id, fields]) => ({ id, news: parsed(fields[1] ?? "") }));
}

/** Returns true if some events after `after` may already be trimmed. */
export async function isBehind(redis: RedisClient, after: string): Promise<boolean> {
  const [[oldest], kept] = await Promise.all([redis.xrange(keys.news, "-", "+", "COUNT", 1), redis.xlen(keys.news)]);
  return oldest !== undefined && kept >= newsMax && isBefore(after, oldest[0]);
}

/** Compares two ids. Pure. */
export function isBefore(a: string, b: string): boolean {
  const [aMs, aCount] = numbersOf(a);
  const [bMs, bCount] = numbersOf(b);
  return aMs === bMs ? aCount < bCount : aMs < bMs;
}

export function isPosition(text: string): boolean {
  return /^\d{1,15}-\d{1,15}$/.test(text);
}

function numbersOf(id: string): [ms: number, count: number] {
  const [ms = "", count = ""] = id.split("-");
  return [Number(ms), Number(count)];
}

type Plain<T> = T extends { session: unknown } ? Omit<T, "session" | "tenant"> & { session: string; tenant: string } : T;
const parse = typia.json.createIsParse<Plain<News> & { incarnation?: string }>();

function parsed(text: string): StoredNews | undefined {
  try {
    return (parse(text) ?? undefined) as StoredNews | undefined;
  } catch {
    return undefined; // not JSON
  }
}
