import { join } from "node:path";
import { socketPath } from "../deploy/supervisor/unix-socket.js";
import { silentLog } from "../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../shared/redis/connect.js";
import type { Gateway } from "../test/harness/gateway.js";

/** Returns the socket of the gateway's own Redis. */
export function redisSocket({ dataDir }: Pick<Gateway, "dataDir">): string {
  return socketPath(join(dataDir, "redis"), "redis.sock");
}

/** Connects to the gateway's Redis. The caller must disconnect it. */
export async function gatewayRedis(gateway: Pick<Gateway, "dataDir">): Promise<RedisClient> {
  return await connectRedis(redisSocket(gateway), "writer", silentLog);
}

/** Connects to the Redis of chunks and long replies. The caller must disconnect it. */
export async function gatewayCache({ dataDir }: Pick<Gateway, "dataDir">): Promise<RedisClient> {
  return await connectRedis(socketPath(join(dataDir, "cache"), "redis.sock"), "writer", silentLog);
}
