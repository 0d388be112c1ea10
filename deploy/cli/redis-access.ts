import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, EnvReader } from "../../shared/config/env.js";
import { readRedisAddress } from "../../shared/redis/settings.js";
import { silentLog } from "../../shared/log/logger.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { DataLock } from "../supervisor/data-lock.js";
import { PrivateRedis } from "../supervisor/private-redis.js";
import { isListening, socketPath } from "../supervisor/unix-socket.js";
import { CliError, exitCodes } from "./exit-code.js";
import { dataDirOf, type Environment, type GlobalOptions } from "./settings.js";

/** Location of the stored logins, as this machine's settings give it. */
export type StoredWhere =
  | { kind: "url"; address: RedisAddress }
  /** Private Redis of `npm start`, which runs only while the gateway does. */
  | { kind: "private"; socket: string; dataDir: string };

/** A URL may contain a password, so it comes from the environment or a file. Other users can read command line arguments. */
export function redisOf(options: Pick<GlobalOptions, "dataDir">, environment: Environment): StoredWhere {
  const env = new EnvReader(environment);
  const name = env.optional("TRUNKLINE_REDIS_URL") === undefined ? "REDIS_URL" : "TRUNKLINE_REDIS_URL";
  const address = env.optional(name) === undefined ? undefined : readRedisAddress(env, name);
  env.finish();
  if (address !== undefined) return { kind: "url", address };
  const dataDir = dataDirOf(options, environment);
  return { kind: "private", socket: socketPath(join(dataDir, "redis"), "redis.sock"), dataDir };
}

/** Returns undefined if no Redis responds; rejects with a sentence if the setting is wrong. */
export async function openRedis(where: StoredWhere): Promise<RedisClient | undefined> {
  if (where.kind === "private" && !(await isListening(where.socket))) return undefined;
  try {
    return await connectRedis(where.kind === "url" ? where.address : where.socket, "writer", silentLog);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.message, exitCodes.refused, { cause: error });
    return undefined;
  }
}

/**
 * Runs `use` with the Redis that stores the logins. Starts a gateway's private Redis for that time if it is stopped; `make` creates it if
 * it does not exist.
 */
export async function withRedis<T>(where: StoredWhere, make: boolean, use: (redis: RedisClient) => Promise<T>): Promise<T> {
  const running = await openRedis(where);
  if (running !== undefined) return await using(running, use);
  if (where.kind === "url") throw new CliError("no Redis is reachable at REDIS_URL", exitCodes.unreachable);
  if (!make && !existsSync(join(where.dataDir, "redis")))
    throw new CliError(`no Redis data in ${where.dataDir}; set --data-dir or TRUNKLINE_REDIS_URL`, exitCodes.notFound);
  return await withPrivateRedis(where.dataDir, use);
}

async function withPrivateRedis<T>(dataDir: string, use: (redis: RedisClient) => Promise<T>): Promise<T> {
  const lock = new DataLock(dataDir);
  await lock.start();
  const own = new PrivateRedis(dataDir, "coordination", silentLog);
  try {
    await own.start();
    return await using(await connectRedis(own.url, "writer", silentLog), use);
  } finally {
    await own.stop();
    lock.stop();
  }
}

async function using<T>(redis: RedisClient, use: (redis: RedisClient) => Promise<T>): Promise<T> {
  try {
    return await use(redis);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("NOPERM"))
      throw new CliError(
        "this Redis user lacks permissions; set TRUNKLINE_REDIS_URL with the operator's user (default)",
        exitCodes.refused,
        { cause: error },
      );
    if (error instanceof Error && error.message === "Command timed out")
      throw new CliError("Redis did not respond within 3 s", exitCodes.unreachable, { cause: error });
    throw error;
  } finally {
    redis.disconnect();
  }
}
