import { afterAll, beforeAll, expect, it } from "vitest";
import { acquireSlots, readStale, type SlotToken } from "../../../../shared/cluster/ownership.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let tokens: Map<number, SlotToken>;
beforeAll(async () => {
  redis = await startRedis();
  const slots = [4, 5, 6, 7];
  const acquired = await acquireSlots(
    redis.client,
    slots.map((slot) => ({ slot, dead: undefined })),
    { name: "a", incarnation: "i1", host: "h1" },
  );
  tokens = new Map(slots.map((slot, index) => [slot, acquired[index]?.token ?? ("" as SlotToken)]));
});
afterAll(() => redis.stop());

it("finds no stale slot while Redis has their tokens", async () => {
  expect(await readStale(redis.client, tokens)).toEqual([]);
  expect(await readStale(redis.client, new Map())).toEqual([]);
});

it.each<[string, (key: string) => Promise<unknown>]>([
  ["another owner has", (key) => redis.client.hset(key, "m", "b", "tok", "9".repeat(16))],
  ["whose token went backwards, as after a failover of Redis", (key) => redis.client.hset(key, "tok", "4")],
  ["without an owner in Redis", (key) => redis.client.del(key)],
])("finds a slot %s", async (_, change) => {
  const key = keys.owner(6);
  const row = await redis.client.hgetall(key);
  await change(key);
  expect(await readStale(redis.client, tokens)).toEqual([6]);
  await redis.client.hset(key, row);
});
