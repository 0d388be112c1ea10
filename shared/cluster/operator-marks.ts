import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { word } from "../redis/script-reply.js";

/** What operators have said about the placement: the map is made of it and of the members. */
export interface OperatorMarks {
  /** Slot -> the member that should own it. */
  readonly pins: ReadonlyMap<number, string>;
  /** Members that get no slots until they are undrained, also in another life. */
  readonly drained: ReadonlySet<string>;
}

const markDrained = script<[drained: string], [member: string, ...active: string[]], "DRAINED" | "LAST">(
  new URL("./scripts/drain.lua", import.meta.url),
  word("DRAINED", "LAST"),
);

/** In one pipeline. */
export async function readMarks(redis: RedisClient): Promise<OperatorMarks> {
  const [pins, drained] = await Promise.all([redis.hgetall(keys.pins), redis.smembers(keys.drained)]);
  return { pins: new Map(Object.entries(pins).map(([slot, member]) => [Number(slot), member])), drained: new Set(drained) };
}

/** False, and nothing was marked, when none of the active members would be left. Two operators at once cannot drain the last two. */
export async function drain(redis: RedisClient, member: string, active: readonly string[]): Promise<boolean> {
  return (await markDrained(redis, [keys.drained], [member, ...active])) === "DRAINED";
}

export async function undrain(redis: RedisClient, member: string): Promise<void> {
  await redis.srem(keys.drained, member);
}

export async function pin(redis: RedisClient, slot: number, member: string): Promise<void> {
  await redis.hset(keys.pins, String(slot), member);
}

export async function unpin(redis: RedisClient, slot: number): Promise<void> {
  await redis.hdel(keys.pins, String(slot));
}

/** Returns the member that a slot is pinned to, if any. */
export async function readPin(redis: RedisClient, slot: number): Promise<string | undefined> {
  return (await redis.hget(keys.pins, String(slot))) ?? undefined;
}
