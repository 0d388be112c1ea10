import type { KeyRing } from "../../config/key-ring.js";
import { passingSealedMs } from "../../limits.js";
import { keys } from "../../redis/keys.js";
import type { RedisClient } from "../../redis/connect.js";
import { script } from "../../redis/script.js";
import { text } from "../../redis/script-reply.js";

const settle = script<[rotation: string], [id: string, replaced: string, passingMs: number, ...others: string[]], string>(
  new URL("./scripts/settle-sealing.lua", import.meta.url),
  text,
);

/**
 * The key that seals in the whole cluster stands in Redis, so that a new one seals only once every process can open it. The first process of a Redis writes that of its own
 * ring. `replaced`: a chosen key that nothing is sealed with, and that gives way. False when another one is chosen and this ring does not have it.
 */
export async function chooseSealingKey(redis: RedisClient, ring: KeyRing, replaced = ""): Promise<boolean> {
  const others = ring.ids.filter((id) => id !== ring.sealing);
  return ring.choose(await settle(redis, [keys.rotation], [ring.sealing, replaced, passingSealedMs, ...others]));
}

/** `undefined` on a Redis that no process has used. */
export async function readSealingKey(redis: RedisClient): Promise<string | undefined> {
  return (await redis.hget(keys.rotation, "sealing")) ?? undefined;
}
