import typia from "typia";
import type { OperatorEvent, StoredLiveEvent } from "../../../shared/cluster/live-events.js";
import { liveEventsMax } from "../../../shared/cluster/live-events.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** An event as stored in Redis. */
export interface EventRow {
  /** Id of its entry. Ids only grow. */
  readonly id: string;
  /** `undefined` for a form that this version does not know. */
  readonly event: StoredLiveEvent | undefined;
}

/**
 * Events per read of a router or a stream, so that a client that keeps up does not fall behind in a burst. About 50 KB, the most that a
 * slow client makes the engine hold.
 */
export const eventsPerRead = 200;

/** Lifetime of the listener marker: three renewal intervals. */
const listenerMs = 15_000;

/** Renews the listener marker. Shards publish some events only while it exists. */
export async function markListener(redis: RedisClient): Promise<void> {
  await redis.set(keys.liveEventListener, "1", "PX", listenerMs);
}

/** Position before all events. */
export const firstPosition = "0-0";

/** Returns the newest id, or `firstPosition` before the first event. */
export async function newestPosition(redis: RedisClient): Promise<string> {
  const [newest] = await redis.xrevrange(keys.liveEvents, "+", "-", "COUNT", 1);
  return newest?.[0] ?? firstPosition;
}

/** Returns at most `count` events after `after`, in order. */
export async function eventsAfter(redis: RedisClient, after: string, count: number): Promise<EventRow[]> {
  const entries = await redis.xrange(keys.liveEvents, `(${after}`, "+", "COUNT", count);
  return entries.map(([id, fields]) => ({ id, event: parsed(fields[1] ?? "") }));
}

/** Returns true if some events after `after` may already be trimmed. */
export async function isBehind(redis: RedisClient, after: string): Promise<boolean> {
  const [[oldest], kept] = await Promise.all([redis.xrange(keys.liveEvents, "-", "+", "COUNT", 1), redis.xlen(keys.liveEvents)]);
  return oldest !== undefined && kept >= liveEventsMax && isBefore(after, oldest[0]);
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
const parse = typia.json.createIsParse<Plain<OperatorEvent> & { incarnation?: string }>();

function parsed(text: string): StoredLiveEvent | undefined {
  try {
    return (parse(text) ?? undefined) as StoredLiveEvent | undefined;
  } catch {
    return undefined; // not JSON
  }
}
