import type { Log } from "../shared/log/logger.js";
import type { Opened } from "../shared/process/lifecycle.js";
import { connectRedis, type RedisClient } from "../shared/redis/connect.js";
import type { RedisSettings } from "../shared/redis/settings.js";

/** Connections to Redis. Whatever blocks a connection, or must not wait for others, has one of its own. */
export interface ShardRedis extends Opened {
  readonly writer: RedisClient;
  readonly reader: RedisClient;
  readonly heartbeat: RedisClient;
  readonly subscriber: RedisClient;
  readonly cache: RedisClient;
  /** Waits for replicas. */
  readonly marker: RedisClient;
}

export async function openRedis({ coordination, cache: cacheAddress }: RedisSettings, log: Log): Promise<ShardRedis> {
  const [writer, reader, heartbeat, subscriber, cache, marker] = await Promise.all([
    connectRedis(coordination, "writer", log),
    connectRedis(coordination, "reader", log),
    connectRedis(coordination, "heartbeat", log),
    connectRedis(coordination, "subscriber", log),
    connectRedis(cacheAddress, "writer", log),
    connectRedis(coordination, "writer", log),
  ]);
  const clients = { writer, reader, heartbeat, subscriber, cache, marker };
  const disconnect = (): void => Object.values(clients).forEach((client) => client.disconnect());
  return { ...clients, lifecycle: [["redis", { stop: disconnect }]] };
}
