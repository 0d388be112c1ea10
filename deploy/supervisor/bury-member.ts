import { pause } from "../../shared/flow/pause.js";
import { bury, type Burial } from "../../shared/cluster/membership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";

export interface BuryMemberOptions {
  /** Calls `bury` with a connection; rejects if there is none. */
  readonly withRedis: (bury: (redis: RedisClient) => Promise<void>) => Promise<void>;
  readonly member: string;
  readonly incarnation: string;
  /** "timeout" if it is not certain that the member's sockets are closed. */
  readonly why: Burial;
  /** Aborted when the supervisor stops. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

const pauseMs = 500;
/** A Redis that fails over may lose the burial and show the member as alive, so the burial is repeated during a failover. */
const repeatMs = 1_000;
/** A failover takes a few seconds; after 20 s of silence other members bury the member anyway. */
const timeoutMs = 30_000;
/** Time limit for an absent Redis once the supervisor stops. */
const lastMs = 2_500;

/**
 * Declares a shard dead whose process is gone, so that its slots move at once instead of after 20 s of silence. Never rejects: if Redis is
 * away for longer, the lease expires. Burying a member twice, or one that left cleanly, has no effect.
 */
export async function buryMember({ withRedis, member, incarnation, why, stopping, log }: BuryMemberOptions): Promise<void> {
  let isDone = false;
  let endsAt = performance.now() + timeoutMs;
  const hurry = (): void => {
    endsAt = Math.min(endsAt, performance.now() + lastMs);
  };
  if (stopping.aborted) hurry();
  else stopping.addEventListener("abort", hurry, { once: true });
  try {
    for (;;) {
      try {
        await withRedis(async (redis) => {
          const buried = await bury(redis, member, incarnation, "*", why);
          if (!isDone) log.info({ member, incarnation, buried, why }, "dead member removed");
        });
        isDone = true;
        if (stopping.aborted || performance.now() >= endsAt) return;
        await pause(repeatMs, stopping);
        if (stopping.aborted) return;
      } catch (error) {
        if (performance.now() >= endsAt) {
          if (isDone) return;
          log.error({ err: error, member, incarnation }, "dead member removal failed, waiting for lease expiry");
          return;
        }
        await pause(pauseMs);
      }
    }
  } finally {
    stopping.removeEventListener("abort", hurry);
  }
}
