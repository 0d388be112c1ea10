import { afterEach, beforeEach, expect, it } from "vitest";
import { ReplicaGate } from "../../../../shard/redis/replica-gate.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { claimPorts, type ClaimedPorts } from "../../../harness/claimed-ports.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedisNode, type RedisNode } from "../../../harness/redis-node.js";

let ports: ClaimedPorts;
let master: RedisNode;
let replica: RedisNode;
let redis: RedisClient;
let gate: ReplicaGate;
/** The number of writes of each wait, and whether replicas confirmed them. */
let reported: [writes: number, confirmed: boolean][];

function aGate(waitMs: number): ReplicaGate {
  const metrics = { replicated: (writes: number, confirmed: boolean) => void reported.push([writes, confirmed]) };
  return new ReplicaGate({ redis, waitMs, metrics, log: silentLog });
}

beforeEach(async () => {
  ports = await claimPorts();
  master = await startRedisNode({ port: ports.first, config: ["repl-diskless-sync-delay 0"] });
  replica = await startRedisNode({ port: ports.first + 1, config: [`replicaof 127.0.0.1 ${ports.first}`] });
  await eventually("a replica", async () => (await master.client.info("replication")).includes("state=online"));
  redis = await connectRedis(`redis://127.0.0.1:${ports.first}`, "writer", silentLog);
  reported = [];
  gate = aGate(10_000);
  await gate.start();
});
afterEach(async () => {
  await gate.stop();
  redis.disconnect();
  await Promise.all([master.stop(), replica.stop()]);
  ports.release();
});

it("lets go on when the replica has what was written before", async () => {
  expect(gate.replicas).toBe(1);
  for (let i = 0; i < 50; i += 1) {
    await master.client.set("owner:{7}", String(i));
    await gate.confirm("owner:{7}");
    expect(await replica.client.get("owner:{7}")).toBe(String(i));
  }
  expect(reported).toEqual(Array.from({ length: 50 }, () => [1, true]));
});

it("lets all that come while one waits share the next wait", async () => {
  await Promise.all(Array.from({ length: 100 }, () => gate.confirm("owner:{7}")));
  expect(reported).toEqual([
    [1, true],
    [99, true],
  ]);
});

it("goes on without a replica that does not confirm, and does not wait for it again at once", async () => {
  await gate.stop();
  gate = aGate(200);
  await gate.start();
  replica.freeze();
  try {
    await gate.confirm("owner:{7}");
    await gate.confirm("owner:{7}");
    expect(reported).toEqual([
      [1, false],
      [1, false],
    ]);
  } finally {
    replica.thaw();
  }
});

it("does not wait without a replica", async () => {
  await replica.client.replicaof("NO", "ONE");
  await eventually("no replica", () => gate.replicas === 0);
  await gate.confirm("owner:{7}");
  expect(reported).toEqual([]);
});
