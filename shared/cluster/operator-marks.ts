import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { literal } from "../redis/script-reply.js";

/** Placement marks of operators. The target map is computed from them and from the members. */
export interface OperatorMarks {
  /** Slot -> the member that should own it. */
  readonly pins: ReadonlyMap<number, string>;
  /** Members that get no slots until they are undrained, even after a restart. */
  readonly drained: ReadonlySet<string>;
}

const markDrained = script<[drained: string], [member: string, ...active: string[]], "DRAINED" | "LAST">(
  new URL("./scripts/drain.lua", import.meta.url),
  literal("DRAINED", "LAST"),
);

/** Reads all marks with one pipeline. */
export async function readMarks(redis: RedisClient): Promise<OperatorMarks> {
  const [pins, drained] = await Promise.all([redis.hgetall(keys.pins), redis.smembers(keys.drained)]);
  return { pins: new Map(Object.entries(pins).map(([slot, member]) => [Number(slot), member])), drained: new Set(drained) };
}

/** Returns false and marks nothing if no active member would be left. Two operators at once cannot drain the last two. */
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
