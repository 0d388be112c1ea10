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
 * Selects the cluster's sealing key. It is stored in Redis, first by the first process, so that a new key seals only once every process can
 * open it. `replaced`: a chosen but unused key that may be replaced. Returns false if the ring lacks the chosen key.
 */
export async function chooseSealingKey(redis: RedisClient, ring: KeyRing, replaced = ""): Promise<boolean> {
  const others = ring.ids.filter((id) => id !== ring.sealing);
  return ring.choose(await settle(redis, [keys.rotation], [ring.sealing, replaced, passingSealedMs, ...others]));
}

/** Returns `undefined` if no process has used this Redis. */
export async function readSealingKey(redis: RedisClient): Promise<string | undefined> {
  return (await redis.hget(keys.rotation, "sealing")) ?? undefined;
}
