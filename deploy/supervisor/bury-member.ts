import { setTimeout as sleep } from "node:timers/promises";
import { bury, type Burial } from "../../shared/cluster/membership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";

const attempts = 5;
const pauseMs = 500;

/**
 * Declares a shard dead whose process is gone, so that its slots move at once and not after the 20 s of silence that count as death. `why` is "timeout" when nobody knows
 * that its sockets are closed. Never rejects: without Redis for 2.5 s the lease has to do. Burying twice, or one that has left cleanly, changes nothing.
 */
export async function buryMember(redis: RedisClient, member: string, incarnation: string, log: Log, why: Burial = "reaped"): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const buried = await bury(redis, member, incarnation, "*", why);
      log.info({ member, incarnation, buried, why }, "dead member buried");
      return;
    } catch (error) {
      if (attempt === attempts) log.error({ err: error, member, incarnation }, "dead member could not be buried");
      else await sleep(pauseMs);
    }
  }
}
