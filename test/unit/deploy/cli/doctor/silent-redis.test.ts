import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { examineSilentRedis } from "../../../../../deploy/cli/doctor/silent-redis.js";
import type { StoredWhere } from "../../../../../deploy/cli/redis-access.js";
import { parseRedisAddress } from "../../../../../shared/redis/address.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
let dataDir: string;
beforeAll(async () => {
  redis = await startRedis();
  dataDir = await mkdtemp(join(tmpdir(), "tl-doctor-"));
});
afterAll(async () => {
  await redis.stop();
  await rm(dataDir, { recursive: true });
});

const privateOne = (socket: string): StoredWhere => ({ kind: "private", socket, dataDir });

it("distinguishes a frozen Redis from an absent one", async () => {
  const frozen = { kind: "url", address: parseRedisAddress(redis.url) } as const;
  expect((await examineSilentRedis({ where: frozen, runs: true, privateRedis: false })).says).toBe(
    "accepts connections at REDIS_URL but does not respond",
  );
  const gone = { kind: "url", address: parseRedisAddress("redis://127.0.0.1:1") } as const;
  expect(await examineSilentRedis({ where: gone, runs: true, privateRedis: false })).toMatchObject({
    level: "fail",
    says: "does not respond at REDIS_URL",
    fix: expect.stringMatching(/^start it/) as string,
  });
  expect((await examineSilentRedis({ where: privateOne(redis.url), runs: true, privateRedis: true })).says).toBe(
    `accepts connections at ${redis.url} but does not respond`,
  );
});

it.each([false, undefined])(
  "fails no gateway whose Redis is that of a REDIS_URL that this shell lacks (its own word: %s)",
  async (privateRedis) => {
    const where = privateOne(join(dataDir, "redis", "redis.sock"));
    expect(await examineSilentRedis({ where, runs: true, privateRedis })).toEqual({
      level: "warn",
      about: "redis",
      says: "the gateway uses a REDIS_URL that is not set in this shell",
      fix: "set REDIS_URL or TRUNKLINE_REDIS_URL to check its Redis and its logins",
    });
  },
);

it("names the log of a private one that ended", async () => {
  const where = privateOne(join(dataDir, "redis", "redis.sock"));
  expect((await examineSilentRedis({ where, runs: true, privateRedis: true })).fix).toBe(`check ${join(dataDir, "redis", "redis.log")}`);
});
