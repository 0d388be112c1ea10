import { afterEach, beforeEach, expect, it } from "vitest";
import { RedisProbe } from "../../../../../shared/process/metrics/redis-probe.js";
import { createRegistry, type MetricsRegistry } from "../../../../../shared/process/metrics/registry.js";
import { parseRedisAddress } from "../../../../../shared/redis/address.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { eventually } from "../../../../harness/eventually.js";
import { setCommandTimeout, startRedis, type TestRedis } from "../../../../harness/redis.js";

let coordination: TestRedis;
let cache: TestRedis;
let registry: MetricsRegistry;
let probe: RedisProbe;

beforeEach(async () => {
  [coordination, cache] = await Promise.all([startRedis(), startRedis()]);
  registry = createRegistry("router", "router-1");
  probe = new RedisProbe({
    role: "router",
    registry,
    name: "router-1",
    servers: { coordination: coordination.client, cache: cache.client },
    addresses: {
      coordination: parseRedisAddress(coordination.url),
      cache: parseRedisAddress(cache.url),
    },
    everyMs: 100,
  });
});
afterEach(async () => {
  await probe.stop();
  await Promise.all([coordination.stop(), cache.stop()]);
});

const value = async (name: string, server: string): Promise<number | undefined> => {
  const line = (await registry.metrics())
    .split("\n")
    .find((text) => text.startsWith(`gateway_router_redis_${name}{`) && text.includes(`server="${server}"`));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
};

it("reports which Redis responds, and its memory figures", async () => {
  await cache.client.config("SET", "maxmemory", "100mb");
  probe.start();
  await eventually(
    "both answer",
    async () =>
      (await value("memory_used_bytes", "coordination")) !== undefined && (await value("memory_limit_bytes", "cache")) !== undefined,
  );
  expect(await value("up", "coordination")).toBe(1);
  expect(await value("memory_used_bytes", "coordination")).toBeGreaterThan(100_000);
  expect(await value("memory_limit_bytes", "coordination")).toBe(0);
  expect(await value("memory_limit_bytes", "cache")).toBe(100 * 1024 * 1024);
  expect(await value("file_failing", "coordination")).toBe(0);
  expect(await value("ping_seconds_count", "cache")).toBeGreaterThan(0);
});

it("reports a Redis that stops responding, without its old figures, and its return", async () => {
  // As in production, not as long as in other tests.
  setCommandTimeout(coordination.client, 3_000);
  probe.start();
  await eventually("both answer", async () => (await value("memory_used_bytes", "coordination")) !== undefined);
  process.kill(coordination.pid, "SIGSTOP");
  try {
    await eventually("down", async () => (await value("up", "coordination")) === 0);
    expect(await value("memory_used_bytes", "coordination")).toBeUndefined();
    expect(await value("up", "cache")).toBe(1);
  } finally {
    process.kill(coordination.pid, "SIGCONT");
  }
  await eventually("up again", async () => (await value("up", "coordination")) === 1);
});

it("says what is wrong with a setting for as long as it is", async () => {
  probe.start();
  await eventually("both answer", async () => (await value("up", "coordination")) === 1);
  expect(probe.problems()).toEqual([]);
  await coordination.client.replicaof("127.0.0.1", "1");
  await eventually("told", () =>
    probe.problems().some((problem) => problem.startsWith("coordination names a replica, which takes no writes")),
  );
  // Each rejected write makes the client reconnect, so the command is retried.
  await eventually("a master again", () => coordination.client.replicaof("NO", "ONE"));
  await eventually("nothing any more", () => probe.problems().length === 0);

  await coordination.client.config("SET", "maxmemory", "100mb");
  await coordination.client.config("SET", "maxmemory-policy", "allkeys-lru");
  await eventually("told", () =>
    probe
      .problems()
      .some((problem) =>
        problem.startsWith(
          "coordination names a Redis that removes logins when it is full: give it maxmemory-policy noeviction instead of allkeys-lru",
        ),
      ),
  );
  await coordination.client.config("SET", "maxmemory-policy", "noeviction");
  await eventually("nothing any more", () => probe.problems().length === 0);
});

it("says that Redis wants another password than it did", async () => {
  probe.start();
  await eventually("both answer", async () => (await value("up", "cache")) === 1);
  await cache.client.config("SET", "requirepass", "new");
  cache.client.disconnect(true);
  await eventually("told", () => probe.problems().includes("cache has no password, and Redis wants one"));
});

it("says that the cache is another cluster's", async () => {
  await coordination.client.set(keys.clusterId, "own");
  await cache.client.set(keys.cacheOf, "other");
  probe.start();
  await eventually("told", () => probe.problems().length > 0);
  expect(probe.problems()[0]).toContain("cache names the cache of another cluster");
});
