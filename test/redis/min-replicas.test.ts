import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { eventually } from "../harness/eventually.js";
import { startRedisNode, type RedisNode } from "../harness/redis-node.js";

/** Tests the advice of deploy/docs/redis.md for a network cut: `min-replicas-to-write 1`, with two replicas per master. */
let ports: ClaimedPorts;
let nodes: RedisNode[];
let client: RedisClient | undefined;

beforeEach(async () => {
  ports = await claimPorts();
  nodes = [];
});
afterEach(async () => {
  client?.disconnect();
  await Promise.all(nodes.map((node) => node.stop()));
  ports.release();
});

/** Starts a master with replicas and a Sentinel; all servers have the setting. Resolves with a client of the current master. */
async function startWith(replicas: number): Promise<RedisClient> {
  const config = ["min-replicas-to-write 1", "min-replicas-max-lag 10", "repl-diskless-sync-delay 0", "repl-ping-replica-period 1"];
  nodes.push(await startRedisNode({ port: ports.first, config }));
  for (let i = 1; i <= replicas; i += 1)
    nodes.push(await startRedisNode({ port: ports.first + i, config: [...config, `replicaof 127.0.0.1 ${ports.first}`] }));
  await eventually("replicas", async () => (await info()).includes(`connected_slaves:${replicas}`));
  const watch = [
    `sentinel monitor logins 127.0.0.1 ${ports.first} 1`,
    "sentinel down-after-milliseconds logins 2000",
    "sentinel failover-timeout logins 10000",
  ];
  const sentinel = await startRedisNode({ port: ports.first + 9, config: watch, isSentinel: true });
  nodes.push(sentinel);
  await eventually(
    "a Sentinel that knows the replicas",
    async () => ((await sentinel.client.call("SENTINEL", "REPLICAS", "logins")) as unknown[]).length === replicas,
  );
  client = await connectRedis(`redis+sentinel://127.0.0.1:${ports.first + 9}/logins`, "writer", silentLog);
  return client;
}

const info = async (): Promise<string> => (await nodes[0]?.client.info("replication")) ?? "";
const isTaken = (redis: RedisClient): Promise<boolean> => redis.set("key", "value").then(() => true);

describe("min-replicas-to-write 1, after the master has died for good", () => {
  it("takes writes again when there were two replicas", async () => {
    const redis = await startWith(2);
    await eventually("a write", () => isTaken(redis));
    await nodes[0]?.kill();
    await eventually("a write on the new master", () => isTaken(redis));
  });

  it("refuses every write when there was one, which is why the page advises against it", async () => {
    const redis = await startWith(1);
    await eventually("a write", () => isTaken(redis));
    await nodes[0]?.kill();
    const refusal = await eventually("a refusal of the new master", async () => {
      const said = await redis.set("key", "value").catch((error: unknown) => String(error));
      return typeof said === "string" && said.includes("NOREPLICAS") && said;
    });
    expect(refusal).toContain("NOREPLICAS");
    await nodes[0]?.start();
    await eventually("a write once the dead server is a replica", () => isTaken(redis));
  });
});
