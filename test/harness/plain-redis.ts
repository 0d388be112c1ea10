import { Redis } from "ioredis";
import type { RedisClient } from "../../shared/redis/connect.js";

/** Returns the client as a connection to one server, which has a socket, and commands that the gateway does not use. */
export function plainRedis(redis: RedisClient): Redis {
  if (!(redis instanceof Redis)) throw new Error("it is no connection to one server");
  return redis;
}
