import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../../../../shared/config/env.js";
import { keys } from "../../../../../shared/redis/keys.js";
import type { RedisClient } from "../../../../../shared/redis/connect.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { SchemaFollower } from "../../../../../shared/cluster/schema/schema-follower.js";
import { raiseSchema, readSchema, requireSupportedSchema } from "../../../../../shared/cluster/schema/schema-record.js";
import { newestSchema } from "../../../../../shared/cluster/schema/schema-version.js";
import { eventually } from "../../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";
import { dump } from "../../../../harness/redis-dump.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

describe("the schema of a Redis", () => {
  it("is the newest where nothing has ever been, and is written there", async () => {
    expect(await requireSupportedSchema(redis.client)).toBe(newestSchema);
    expect(await readSchema(redis.client)).toBe(newestSchema);
    expect(await requireSupportedSchema(redis.client)).toBe(newestSchema);
  });

  it.each<[string, (client: RedisClient) => Promise<unknown>]>([
    ["0.2.0, which has no number", (client) => client.sadd(keys.formerMembers, "shard-1")],
    ["a build before this, which counted other forms", (client) => client.hset(keys.schema, "written", 5)],
    ["a build before this whose number is as small as ours", (client) => client.hset(keys.schema, "written", 1)],
  ])("is not that of %s: refused in one sentence, and nothing is written", async (_, leave) => {
    await leave(redis.client);
    const before = await dump(redis.client);
    const refusal = await requireSupportedSchema(redis.client).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(refusal).toMatchObject({
      problems: [
        "this Redis holds data of version 0.2.0 or before, which this version does not read and leaves as it is: name an empty Redis, or start the version that wrote it",
      ],
    });
    expect(await dump(redis.client)).toEqual(before);
  });

  it("never falls", async () => {
    expect(await raiseSchema(redis.client, 7)).toBe(7);
    expect(await raiseSchema(redis.client, 2)).toBe(7);
    expect(await readSchema(redis.client)).toBe(7);
  });

  it("keeps a version away that could not read it, in one sentence", async () => {
    await raiseSchema(redis.client, newestSchema + 1);
    const refusal = await requireSupportedSchema(redis.client).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(refusal).toMatchObject({
      problems: [
        `this Redis holds records of schema ${newestSchema + 1}, and this version reads ${newestSchema} at most: start the version that wrote them, or restore a backup`,
      ],
    });
  });

  it("is not read repeatedly by a user without the permission", async () => {
    await redis.client.acl("SETUSER", "default", "-hmget");
    try {
      await expect(requireSupportedSchema(redis.client)).rejects.toMatchObject({
        problems: ["REDIS_URL names a user that may not do what is needed: make it by deploy/manifests/redis/make-users.mjs"],
      });
    } finally {
      await redis.client.acl("SETUSER", "default", "+hmget");
    }
  });

  it("is no question while a restore is half done, which nothing starts on", async () => {
    await redis.client.set(keys.restoring, "2026-11-22T10:00:00.000Z");
    await expect(requireSupportedSchema(redis.client)).rejects.toMatchObject({
      problems: [expect.stringMatching(/^the restore that began at 2026-11-22T10:00:00\.000Z was broken off.* --replace$/) as string],
    });
  });

  it("of a backup that was restored beside a process is its own again once the restore is over", async () => {
    await raiseSchema(redis.client, newestSchema);
    const follower = new SchemaFollower({ redis: redis.client, written: newestSchema, log: silentLog });
    await redis.client.set(keys.restoring, "2026-11-22T10:00:00.000Z");
    await redis.client.hset(keys.schema, "number", newestSchema - 1);
    expect([await follower.isWhole(), await readSchema(redis.client)]).toEqual([false, newestSchema - 1]);
    await redis.client.del(keys.restoring);
    expect([await follower.isWhole(), await readSchema(redis.client)]).toEqual([true, newestSchema]);
    expect(follower.written).toBe(newestSchema);
  });

  it("is followed", async () => {
    const follower = new SchemaFollower({ redis: redis.client, written: newestSchema - 1, log: silentLog, everyMs: 10 });
    follower.start();
    try {
      expect(follower.written).toBe(newestSchema - 1);
      await raiseSchema(redis.client, newestSchema + 5);
      await eventually("followed", () => follower.written === newestSchema);
    } finally {
      await follower.stop();
    }
  });
});
