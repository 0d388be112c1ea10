import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BulkReader } from "../../../../../router/bus/redis/bulk-reader.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { ChunkCache, movedAway } from "../../../../../shared/media/chunk-cache.js";
import { parseRedisAddress } from "../../../../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../../../../shared/redis/connect.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { claimPorts, type ClaimedPorts } from "../../../../harness/claimed-ports.js";
import { eventually } from "../../../../harness/eventually.js";
import { startRedisNode, type RedisNode } from "../../../../harness/redis-node.js";

/** Two masters of a cluster. The first owns the lower half of the hash slots. */
let ports: ClaimedPorts;
let low: RedisNode;
let high: RedisNode;
let redis: RedisClient;
let bulk: BulkReader;
let cache: ChunkCache;
const fileKey = "0123456789abcdef0123456789abcdef";
const length = 524_288;

beforeAll(async () => {
  ports = await claimPorts();
  const node = (i: number): Promise<RedisNode> =>
    startRedisNode({ port: ports.first + i, config: ["cluster-enabled yes", `cluster-port ${ports.first + 10 + i}`, 'save ""'] });
  [low, high] = [await node(0), await node(1)];
  await low.client.call("CLUSTER", "ADDSLOTSRANGE", "0", "8191");
  await high.client.call("CLUSTER", "ADDSLOTSRANGE", "8192", "16383");
  await high.client.cluster("SET-CONFIG-EPOCH", 2);
  await low.client.call("CLUSTER", "MEET", "127.0.0.1", String(high.port), String(ports.first + 11));
  await eventually("a cluster that is well", async () => {
    const infos = await Promise.all([low, high].map(({ client }) => client.cluster("INFO")));
    return infos.every((info) => info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:2"));
  });
  const address = parseRedisAddress(`redis+cluster://127.0.0.1:${low.port}`);
  redis = await connectRedis(address, "writer", silentLog);
  bulk = new BulkReader({ redis, address, log: silentLog });
  cache = new ChunkCache(redis, bulk);
  await bulk.start();
});
afterAll(async () => {
  bulk.stop();
  redis.disconnect();
  await Promise.all([low.stop(), high.stop()]);
  ports.release();
});

const hashSlot = (key: string): Promise<number> => low.client.cluster("KEYSLOT", key);
const readAt = (key: string): unknown => bulk.at(key)?.read({ key, fields: ["a", "b"], length, lifetimeSeconds: 3_600 });

/** Returns a chunk whose key the first master owns. */
async function lowChunk(from = 0): Promise<number> {
  for (let chunk = from; ; chunk++) if ((await hashSlot(keys.chunk(fileKey, chunk))) < 8_192) return chunk;
}

it("reads a key from the master that has it", async () => {
  const written: Buffer[] = [];
  for (let chunk = 0; chunk < 12; chunk++) {
    const bytes = randomBytes(length);
    await cache.put(fileKey, chunk, bytes);
    written.push(bytes);
  }
  await eventually("both", () => written.every((_, chunk) => bulk.at(keys.chunk(fileKey, chunk)) !== undefined));
  for (const [chunk, bytes] of written.entries()) {
    const read = await readAt(keys.chunk(fileKey, chunk));
    expect(Buffer.isBuffer(read) && read.equals(bytes)).toBe(true);
    expect((await cache.get(fileKey, chunk, length))?.equals(bytes)).toBe(true);
  }
  for (const { client } of [low, high]) for (const key of await client.keys("*")) expect(await client.ttl(key), key).toBeGreaterThan(3_590);
});

it("reads a key whose hash slot moves over the general connection, and then from its new master", async () => {
  const chunk = await lowChunk();
  const key = keys.chunk(fileKey, chunk);
  const slot = String(await hashSlot(key));
  const [bytes, other] = [randomBytes(length), randomBytes(length)];
  await cache.put(fileKey, chunk, bytes);
  const [source, target] = [await low.client.cluster("MYID"), await high.client.cluster("MYID")];
  await high.client.call("CLUSTER", "SETSLOT", slot, "IMPORTING", source);
  await low.client.call("CLUSTER", "SETSLOT", slot, "MIGRATING", target);
  expect((await cache.get(fileKey, chunk, length))?.equals(bytes)).toBe(true);
  await low.client.call("MIGRATE", "127.0.0.1", String(high.port), key, "0", "5000");

  // The first master redirects reads and writes.
  expect(await readAt(key)).toBe(movedAway);
  expect((await cache.get(fileKey, chunk, length))?.equals(bytes)).toBe(true);
  await cache.put(fileKey, chunk, other);
  expect((await cache.get(fileKey, chunk, length))?.equals(other)).toBe(true);

  for (const { client } of [high, low]) await client.call("CLUSTER", "SETSLOT", slot, "NODE", target);
  expect(await readAt(key)).toBe(movedAway);
  await cache.put(fileKey, chunk, bytes);
  expect((await cache.get(fileKey, chunk, length))?.equals(bytes)).toBe(true);
  await eventually("the new way", async () => {
    const read = await readAt(key);
    return Buffer.isBuffer(read) && read.equals(bytes);
  });
  expect(await high.client.ttl(key)).toBeGreaterThan(3_590);
});

it("stores a chunk with its time in one step, also one that has moved", async () => {
  const commands: string[] = [];
  const watcher = await high.client.monitor();
  watcher.on("monitor", (_time: string, [command = ""]: string[]) => commands.push(command.toLowerCase()));
  try {
    await cache.put(fileKey, 1_000, randomBytes(10));
    await cache.put(fileKey, 1_001, randomBytes(10));
    await cache.put(fileKey, 1_002, randomBytes(10));
    await cache.put(fileKey, 1_003, randomBytes(10));
    await eventually("seen", () => commands.includes("exec"));
    const steps = commands.filter((command) => ["multi", "hset", "expire", "exec"].includes(command)).join();
    expect(steps).toMatch(/^(multi,hset,expire,exec,?)+$/);
  } finally {
    watcher.disconnect();
  }
});
