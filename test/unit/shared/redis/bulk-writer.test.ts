import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { storeHash } from "../../../../shared/redis/bulk-writer.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { plainRedis } from "../../../harness/plain-redis.js";

let server: TestRedis;
let redis: RedisClient;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis(server.url, "writer", silentLog);
  // On a busy machine twenty megabytes may take longer than the product's command time-out.
  plainRedis(redis).options.commandTimeout = 60_000;
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => server.client.flushall());

describe("storeHash", () => {
  it.each([
    [0, 0],
    [1, 0],
    [524_224, 64],
    [524_224, 0],
    [3_000_000, 7],
  ])("stores fields of %i and %i bytes with their time to live", async (a, b) => {
    const [first, second] = [randomBytes(a), randomBytes(b)];
    await storeHash(
      redis,
      "key",
      [
        ["a", first],
        ["b", second],
      ],
      100,
    );
    const [x, y] = await server.client.hmgetBuffer("key", "a", "b");
    expect([x?.equals(first), y?.equals(second)]).toEqual([true, true]);
    expect(await server.client.ttl("key")).toBeGreaterThan(90);
  });

  it("keeps many at once apart, from each other and from other commands", async () => {
    const values = Array.from({ length: 60 }, () => randomBytes(Math.floor(Math.random() * 600_000)));
    const others: Promise<unknown>[] = [];
    const stored = values.map((value, index) => {
      others.push(redis.set(`other${index}`, "x"), plainRedis(redis).pipeline().incr("count").incr("count").exec());
      return storeHash(
        redis,
        `key${index}`,
        [
          ["a", value],
          ["b", Buffer.from("tail")],
        ],
        100,
      );
    });
    await Promise.all([...stored, ...others]);
    for (const [index, value] of values.entries()) expect((await server.client.hgetBuffer(`key${index}`, "a"))?.equals(value)).toBe(true);
    expect(await server.client.get("count")).toBe("120");
  });

  it("rejects what Redis refuses, and the connection goes on", async () => {
    await server.client.set("text", "no hash");
    await expect(storeHash(redis, "text", [["a", randomBytes(10)]], 100)).rejects.toThrow("hash was not stored");
    await server.client.config("SET", "maxmemory", "1");
    await expect(storeHash(redis, "full", [["a", randomBytes(10)]], 100)).rejects.toThrow();
    await server.client.config("SET", "maxmemory", "0");
    await storeHash(redis, "key", [["a", Buffer.from("later")]], 100);
    expect(await server.client.hget("key", "a")).toBe("later");
  });

  it("outlasts the time limit of other commands", async () => {
    const impatient = await connectRedis(server.url, "writer", silentLog);
    plainRedis(impatient).options.commandTimeout = 20;
    try {
      process.kill(server.pid, "SIGSTOP");
      const storing = storeHash(impatient, "key", [["a", randomBytes(500_000)]], 100);
      await expect(impatient.get("key")).rejects.toThrow("Command timed out");
      process.kill(server.pid, "SIGCONT");
      await storing;
    } finally {
      process.kill(server.pid, "SIGCONT");
      impatient.disconnect();
    }
  });

  it("stores all or nothing when the connection is lost midway", async () => {
    const value = randomBytes(500_000);
    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, async (_, index) => {
        const storing = storeHash(
          redis,
          `key${index}`,
          [
            ["a", value],
            ["b", value],
          ],
          100,
        );
        if (index === 10) redis.disconnect(true);
        await storing;
      }),
    );
    expect(attempts.some(({ status }) => status === "rejected")).toBe(true);
    for (const [index, { status }] of attempts.entries()) {
      const [a, ttl] = await Promise.all([server.client.hstrlen(`key${index}`, "a"), server.client.ttl(`key${index}`)]);
      if (status === "fulfilled") expect(a).toBe(value.length);
      // No key lacks an expiry.
      expect(a === 0 || ttl > 0, `key${index}`).toBe(true);
    }
  });
});
