import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keys } from "../../shared/redis/keys.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** A host that is gone from one moment to the next: its processes neither run nor end, and nobody is left on it to say so. */
let gateway: Gateway;
let redis: RedisClient;
let alice: Caller;
beforeAll(async () => {
  gateway = await startGateway({ shards: 1 });
  redis = await connectRedis(join(gateway.dataDir, "redis", "redis.sock"), "writer", silentLog);
  alice = await loggedIn(gateway, "alice");
});
afterAll(async () => {
  redis.disconnect();
  await gateway.stop();
});

it("does not show its accounts as connected for as long as its lease lasts", async () => {
  const shard = await gateway.shardPid("shard-1");
  const supervisor = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${shard}/status`, "utf8"))?.[1]);
  const incarnation = await redis.hget(keys.member("shard-1"), "inc");
  for (const pid of [supervisor, shard]) process.kill(pid, "SIGSTOP");
  try {
    const state = await eventually("not connected", async () => {
      const [{ isConnected }, member] = await Promise.all([alice.record(), redis.hmget(keys.member("shard-1"), "inc", "st")]);
      return isConnected ? undefined : member;
    });
    // Nobody has buried it yet: what is known is that it is silent.
    expect(state).toEqual([incarnation, "active"]);
  } finally {
    for (const pid of [shard, supervisor]) process.kill(pid, "SIGCONT");
  }
  await eventually("connected again", async () => (await alice.record()).isConnected, 60_000);
});
