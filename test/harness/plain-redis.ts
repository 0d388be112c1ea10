import { Redis } from "ioredis";
import type { RedisClient } from "../../shared/redis/connect.js";

/** What only a connection to one server has: its socket, and commands that the product does without. */
export function plainRedis(redis: RedisClient): Redis {
  if (!(redis instanceof Redis)) throw new Error("it is no connection to one server");
  return redis;
}
