import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { checkPair, readPair, wrongPair } from "../../../../shared/redis/cache-owner.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let logins: TestRedis;
let cache: TestRedis;
beforeAll(async () => {
  [logins, cache] = await Promise.all([startRedis(), startRedis()]);
});
afterAll(() => Promise.all([logins.stop(), cache.stop()]));
beforeEach(() => Promise.all([logins.client.flushall(), cache.client.flushall()]));

it.each([
  ["two empty ones", [null, null], [null, null], undefined],
  ["a cache that has forgotten", ["a", null], [null, null], undefined],
  ["a cluster and its cache", ["a", null], [null, "a"], undefined],
  ["one server under two addresses", ["a", "a"], ["a", "a"], undefined],
  ["another cluster's cache", ["a", null], [null, "b"], "cache"],
  ["another cluster's cache for a new cluster", [null, null], [null, "b"], "cache"],
  ["another cluster's logins", ["a", null], ["b", null], "cache"],
  ["another cluster's logins for a new cluster", [null, null], ["b", null], "cache"],
  ["addresses that have changed places", [null, "a"], ["a", null], "coordination"],
  ["another cluster's cache in place of the logins", [null, "b"], [null, null], "coordination"],
] as const)("%s", (_, [cluster, cacheOf], [others, cacheOfOthers], wrong) => {
  expect(wrongPair({ cluster, cacheOf }, { cluster: others, cacheOf: cacheOfOthers })?.server).toBe(wrong);
});

it("suggests a restored backup for a cache only without stored logins", () => {
  const cache = { cluster: null, cacheOf: "b" };
  expect(wrongPair({ cluster: null, cacheOf: null }, cache)?.mayPass).toBe(true);
  expect(wrongPair({ cluster: "a", cacheOf: null }, cache)?.mayPass).toBe(false);
});

it("marks both, once, and a cache again that has forgotten", async () => {
  const looks = await Promise.all(Array.from({ length: 8 }, () => checkPair(logins.client, cache.client)));
  expect(new Set(looks)).toEqual(new Set([undefined]));
  const id = await logins.client.get(keys.clusterId);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await cache.client.get(keys.cacheOf)).toBe(id);
  await cache.client.flushall();
  await checkPair(logins.client, cache.client);
  expect(await cache.client.get(keys.cacheOf)).toBe(id);
  expect(await logins.client.get(keys.clusterId)).toBe(id);
});

it("takes what another process of the same cluster writes meanwhile for its own", async () => {
  // The cache replies late. By then the other process has marked both servers.
  await cache.client.client("PAUSE", 500, "ALL");
  const marked = cache.client.set(keys.cacheOf, "a");
  const look = checkPair(logins.client, cache.client);
  await logins.client.set(keys.clusterId, "a");
  await marked;
  expect(await look).toBeUndefined();
});

it("reports a cache of another cluster, and writes nothing to it", async () => {
  await checkPair(logins.client, cache.client);
  await logins.client.flushall();
  expect(await checkPair(logins.client, cache.client)).toMatchObject({ server: "cache" });
  expect(await readPair(cache.client, logins.client)).toMatchObject({ server: "coordination" });
  expect(await logins.client.dbsize()).toBe(0);
});

it("accepts a cache whose user may not read its id", async () => {
  await logins.client.acl("SETUSER", "default", "-get");
  try {
    expect(await checkPair(logins.client, cache.client)).toBeUndefined();
  } finally {
    await logins.client.acl("SETUSER", "default", "+get");
  }
});
