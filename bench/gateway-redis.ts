import { join } from "node:path";
import { socketPath } from "../deploy/supervisor/unix-socket.js";
import { silentLog } from "../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../shared/redis/connect.js";
import type { Gateway } from "../test/harness/gateway.js";

/** Socket of the gateway's own Redis. */
export function redisSocket({ dataDir }: Pick<Gateway, "dataDir">): string {
  return socketPath(join(dataDir, "redis"), "redis.sock");
}

/** To be disconnected by who asked. */
export async function gatewayRedis(gateway: Pick<Gateway, "dataDir">): Promise<RedisClient> {
  return await connectRedis(redisSocket(gateway), "writer", silentLog);
}

/** The one of chunks and long replies. To be disconnected by who asked. */
export async function gatewayCache({ dataDir }: Pick<Gateway, "dataDir">): Promise<RedisClient> {
  return await connectRedis(socketPath(join(dataDir, "cache"), "redis.sock"), "writer", silentLog);
}
