import { ConfigError } from "../../config/env.js";
import { settingTrouble } from "../../redis/connect-trouble.js";
import type { RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import { script } from "../../redis/script.js";
import { integer } from "../../redis/script-reply.js";
import { newestSchema } from "./schema-version.js";

const raise = script<[schema: string], [schema: number], number>(new URL("./scripts/raise.lua", import.meta.url), integer);

/** Returns the stored schema; `undefined` if there is none. */
export async function readSchema(redis: RedisClient): Promise<number | undefined> {
  const number = await redis.hget(keys.schema, "number");
  return number === null ? undefined : Number(number);
}

/** Raises the schema number but never lowers it. Resolves with the stored number. */
export async function raiseSchema(redis: RedisClient, schema: number): Promise<number> {
  return await raise(redis, [keys.schema], [schema]);
}

/**
 * Returns the schema that this process may write; an empty Redis gets the newest one. Rejects with a `ConfigError` when Redis holds a newer
 * schema, data without a schema, or an unfinished restore.
 */
export async function requireSupportedSchema(redis: RedisClient): Promise<number> {
  const [[number, former], restoring, formerMembers] = await Promise.all([
    redis.hmget(keys.schema, "number", "written"),
    redis.get(keys.restoring),
    redis.exists(keys.formerMembers),
  ]).catch((error: unknown) => {
    // These are the first keys that a process reads.
    const trouble = settingTrouble(error, undefined, false);
    throw trouble === undefined ? error : new ConfigError([`REDIS_URL ${trouble}`]);
  });
  if (restoring !== null)
    throw new ConfigError([
      `the restore that began at ${restoring} was broken off, and this Redis holds a part of its logins: do it again with trunkline restore --replace`,
    ]);
  if (number == null) {
    if (former != null || formerMembers === 1) throw new ConfigError([formerData]);
    return await raiseSchema(redis, newestSchema);
  }
  const schema = Number(number);
  if (schema <= newestSchema) return schema;
  throw new ConfigError([
    `this Redis holds records of schema ${number}, and this version reads ${newestSchema} at most: start the version that wrote them, or restore a backup`,
  ]);
}

const formerData =
  "this Redis holds data of version 0.2.0 or before, which this version does not read and leaves as it is: name an empty Redis, or start the version that wrote it";
