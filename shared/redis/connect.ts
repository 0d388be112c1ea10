import { Redis, type RedisOptions } from "ioredis";
import { within } from "../flow/within.js";
import type { Log } from "../log/logger.js";
import { batchWrites } from "./batched-writes.js";

/** The one type under which the rest of the project knows a Redis connection: no other file imports ioredis. */
export type RedisClient = Redis;

/**
 * What a connection is for decides how it behaves when Redis is slow or away (shared/README.md, "Redis").
 * - `writer`: commands and scripts. Every write on it is idempotent on the Redis side, so ioredis may resend what had no answer.
 * - `reader`: one blocking stream reader; ends on `disconnect()`.
 * - `heartbeat`: the lease, never shared with bulk work.
 * - `subscriber`: pub/sub nudges; losing one costs a poll interval, never correctness.
 * - `invalidations`: hears what Redis tracks (`invalidation-feed.ts`). RESP2, where such messages are pub/sub messages; who lost them starts anew.
 */
export type ConnectionRole = "writer" | "reader" | "heartbeat" | "subscriber" | "invalidations";

const roles = {
  writer: { commandTimeout: 3_000, maxRetriesPerRequest: 1, enableOfflineQueue: false, keepAlive: 10_000 },
  // A read that was given up must not run later: it would take a group's entries into an answer that nobody hears.
  reader: { maxRetriesPerRequest: null, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, keepAlive: 10_000 },
  heartbeat: { commandTimeout: 2_000, maxRetriesPerRequest: 1, enableOfflineQueue: false, keepAlive: 10_000 },
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: true, keepAlive: 10_000 },
  invalidations: {
    commandTimeout: 3_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResubscribe: false,
    protocol: 2,
    keepAlive: 10_000,
  },
} satisfies Record<ConnectionRole, RedisOptions>;

/**
 * Connects and resolves when Redis answers; rejects after 10 s. `url` is `redis://…`, `rediss://…`, or the absolute path of a unix socket.
 * The connection heals itself afterwards (delay 50 ms doubling to 1 s, for ever); `close` it with `quit()` or `disconnect()`.
 */
export async function connectRedis(url: string, role: ConnectionRole, log: Log): Promise<RedisClient> {
  const redis = new Redis(url, {
    ...roles[role],
    lazyConnect: true,
    connectionName: `trunkline-${role}`,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
    // After a failover the old primary answers READONLY: reconnect to find the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  if (role === "writer") batchWrites(redis);
  redis.on("error", (error: Error) => log.warn({ role, reason: error.message }, "redis connection error"));
  try {
    await within(redis.connect(), 10_000, () => new Error("timeout"));
  } catch (error) {
    redis.disconnect();
    throw new Error("redis does not answer", { cause: error });
  }
  return redis;
}
