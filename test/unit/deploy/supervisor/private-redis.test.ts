import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PrivateRedis, type RedisPurpose } from "../../../../deploy/supervisor/private-redis.js";
import { callRedis } from "../../../../deploy/supervisor/redis-call.js";
import { silentLog } from "../../../../shared/log/logger.js";

let folder: string;
let started: PrivateRedis[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redis-"));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((redis) => redis.stop()));
  rmSync(folder, { recursive: true });
});

describe("PrivateRedis", () => {
  it("keeps what was written over a stop and a start", async () => {
    const redis = await start();
    await call(redis, "SET", "key", "value");
    await redis.stop();
    expect(await call(redis, "PING")).toBeUndefined();
    expect(await call(await start(), "GET", "key")).toBe("value");
  });

  it("listens on a socket that only its user may open, and on no port", async () => {
    const redis = await start();
    expect(statSync(redis.url).mode & 0o777).toBe(0o600);
    expect(await call(redis, "INFO", "server")).toContain("tcp_port:0");
  });

  it("takes files of an earlier start, which others could read, for itself", async () => {
    const redis = await start();
    await call(redis, "SET", "key", "value");
    await redis.stop();
    const files = (): string[] =>
      readdirSync(join(folder, "redis"), { recursive: true, encoding: "utf8" }).map((name) => join(folder, "redis", name));
    for (const file of files()) chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
    new PrivateRedis(folder, "coordination", silentLog);
    expect(files().length).toBeGreaterThan(2);
    for (const file of files()) expect(statSync(file).mode & 0o077, file).toBe(0);
  });

  it("starts the server again when it dies, with its data", async () => {
    const redis = await start();
    await call(redis, "SET", "key", "value");
    process.kill(await pidOf(redis), "SIGKILL");
    await vi.waitFor(async () => expect(await call(redis, "GET", "key")).toBe("value"), { timeout: 30_000, interval: 50 });
  });

  it("adopts the server of a supervisor that was killed, and stops it in the end", async () => {
    const redis = await start();
    const next = await start();
    expect(await pidOf(next)).toBe(await pidOf(redis));
    await next.stop();
    expect(await call(next, "PING")).toBeUndefined();
  });

  it("moves the socket to a short path when the data folder's is too long for one", async () => {
    const redis = await start(join(folder, "d".repeat(100)));
    expect(redis.url.length).toBeLessThan(100);
    expect(await call(redis, "PING")).toBe("PONG");
    await redis.stop();
    expect(existsSync(redis.url)).toBe(false);
    rmSync(join(redis.url, ".."), { recursive: true });
  });

  it("keeps coordination on disk and never evicts, and bounds the cache beside it", async () => {
    const [redis, cache] = [await start(), await start(folder, "cache")];
    expect(cache.url).not.toBe(redis.url);
    const settings = async (of: PrivateRedis): Promise<string> => (await call(of, "INFO", "memory")) ?? "";
    expect(await settings(redis)).toMatch(/maxmemory_policy:noeviction/);
    expect(await settings(cache)).toMatch(/maxmemory:536870912\r?\n[\s\S]*maxmemory_policy:allkeys-lru/);
    await call(cache, "SET", "key", "value");
    await cache.stop();
    expect(await call(await start(folder, "cache"), "EXISTS", "key")).toBe("0");
    expect(existsSync(join(folder, "redis", "appendonlydir"))).toBe(true);
    expect(existsSync(join(folder, "cache", "appendonlydir"))).toBe(false);
  });

  it("ends a start that is stopped meanwhile", async () => {
    const redis = new PrivateRedis(folder, "coordination", silentLog);
    const starting = redis.start();
    await redis.stop();
    await expect(starting).rejects.toThrow();
    expect(await call(redis, "PING")).toBeUndefined();
  });
});

async function start(dataDir = folder, purpose: RedisPurpose = "coordination"): Promise<PrivateRedis> {
  const redis = new PrivateRedis(dataDir, purpose, silentLog);
  started.push(redis);
  await redis.start();
  return redis;
}

function call(redis: PrivateRedis, ...command: string[]): Promise<string | undefined> {
  return callRedis(redis.url, command, 20_000);
}

async function pidOf(redis: PrivateRedis): Promise<number> {
  return Number(/process_id:(\d+)/.exec((await call(redis, "INFO", "server")) ?? "")?.[1]);
}
