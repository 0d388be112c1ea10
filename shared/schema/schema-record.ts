import { ConfigError } from "../config/env.js";
import { settingTrouble } from "../redis/connect-trouble.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import { script } from "../redis/script.js";
import { integer } from "../redis/script-reply.js";
import { newestSchema, parseSchema } from "./schema-version.js";

const raise = script<[schema: string], [schema: number], number>(new URL("./scripts/raise.lua", import.meta.url), integer);

/** `undefined` where none is written. */
export async function readSchema(redis: RedisClient): Promise<number | undefined> {
  const written = await redis.hget(keys.schema, "written");
  return written === null ? undefined : parseSchema(written);
}

/** Never lowers it. Resolves with what stands there then. */
export async function raiseSchema(redis: RedisClient, schema: number): Promise<number> {
  return await raise(redis, [keys.schema], [schema]);
}

/**
 * The schema in which this process may write. Rejects with a `ConfigError` when Redis holds a newer one than this build reads, or what a restore left half done. Where no shard
 * has ever been, there is nobody to wait for.
 */
export async function requireKnownSchema(redis: RedisClient): Promise<number> {
  const [written, restoring] = await Promise.all([redis.hget(keys.schema, "written"), redis.get(keys.restoring)]).catch(
    (error: unknown) => {
      // The first keys that a process asks for.
      const trouble = settingTrouble(error, undefined, false);
      throw trouble === undefined ? error : new ConfigError([`REDIS_URL ${trouble}`]);
    },
  );
  if (restoring !== null)
    throw new ConfigError([
      `the restore that began at ${restoring} was broken off, and this Redis holds a part of its logins: do it again with trunkline restore --replace`,
    ]);
  const schema = parseSchema(written);
  if (schema > newestSchema)
    throw new ConfigError([
      `this Redis holds records of schema ${schema}, and this version reads ${newestSchema} at most: start the version that wrote them, or restore a backup`,
    ]);
  if (written !== null || (await redis.exists(keys.members)) === 1) return schema;
  return await raiseSchema(redis, newestSchema);
}
