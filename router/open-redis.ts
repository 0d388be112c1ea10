import type { Log } from "../shared/log/logger.js";
import type { Opened } from "../shared/process/lifecycle.js";
import { connectRedis, type RedisClient } from "../shared/redis/connect.js";
import type { RedisSettings } from "../shared/redis/settings.js";
import { BulkReader } from "./bus/redis/bulk-reader.js";

/** Connections to Redis. Blocking reads, subscriptions and long values have their own. */
export interface RouterRedis extends Opened {
  readonly writer: RedisClient;
  readonly reader: RedisClient;
  readonly subscriber: RedisClient;
  readonly cache: RedisClient;
  readonly bulk: BulkReader;
}

export async function openRedis({ coordination, cache: cacheAddress }: RedisSettings, log: Log): Promise<RouterRedis> {
  const [writer, reader, subscriber, cache] = await Promise.all([
    connectRedis(coordination, "writer", log),
    connectRedis(coordination, "reader", log),
    connectRedis(coordination, "subscriber", log),
    connectRedis(cacheAddress, "writer", log),
  ]);
  const clients = { writer, reader, subscriber, cache };
  const bulk = new BulkReader({ redis: cache, address: cacheAddress, log });
  const disconnect = (): void => Object.values(clients).forEach((client) => client.disconnect());
  return {
    ...clients,
    bulk,
    lifecycle: [
      ["bulk reader", bulk],
      ["redis", { stop: disconnect }],
    ],
  };
}
