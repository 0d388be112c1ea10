import typia from "typia";
import type { News, StoredNews } from "../../../shared/cluster/news.js";
import { newsMax } from "../../../shared/cluster/news.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** News as Redis has it. */
export interface NewsRow {
  /** Of its entry; ids only grow. */
  readonly id: string;
  /** `undefined` for a form that this version does not know. */
  readonly news: StoredNews | undefined;
}

/**
 * Read at once by a router, and taken at once by a stream: so in a burst no stream whose client keeps up falls behind. Some 50 KB, which is what a client that
 * reads slowly makes the engine hold.
 */
export const newsAtOnce = 200;

/** So long a mark holds that somebody listens: three times what passes between two of them. */
const heardMs = 15_000;

/** Shards tell some news only while this mark is there. */
export async function markHeard(redis: RedisClient): Promise<void> {
  await redis.set(keys.newsHeard, "1", "PX", heardMs);
}

/** Before everything. */
export const firstPosition = "0-0";

/** The newest id; `firstPosition` while nothing was told yet. */
export async function newestPosition(redis: RedisClient): Promise<string> {
  const [newest] = await redis.xrevrange(keys.news, "+", "-", "COUNT", 1);
  return newest?.[0] ?? firstPosition;
}

/** What came behind `after`, in order, `count` at most. */
export async function newsAfter(redis: RedisClient, after: string, count: number): Promise<NewsRow[]> {
  const entries = await redis.xrange(keys.news, `(${after}`, "+", "COUNT", count);
  return entries.map(([id, fields]) => ({ id, news: parsed(fields[1] ?? "") }));
}

/** Some of what came behind `after` is not kept any more. */
export async function isBehind(redis: RedisClient, after: string): Promise<boolean> {
  const [[oldest], kept] = await Promise.all([redis.xrange(keys.news, "-", "+", "COUNT", 1), redis.xlen(keys.news)]);
  return oldest !== undefined && kept >= newsMax && isBefore(after, oldest[0]);
}

/** Of two ids. Pure. */
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
    return undefined; // No JSON at all.
  }
}
