import { afterEach, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../../shared/redis/connect.js";
import { InvalidationFeed } from "../../../../../router/bus/redis/invalidation-feed.js";
import { eventually } from "../../../../harness/eventually.js";
import { monitorRedis } from "../../../../harness/monitor-redis.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let server: TestRedis;
let tracked: RedisClient;
let listener: RedisClient;
let leave: () => void;
let feed: InvalidationFeed;
/** Commands of the feed's connections, oldest first, without those that ioredis sends on connecting. */
let said: string[];

beforeEach(async () => {
  server = await startRedis();
  [tracked, listener] = await Promise.all([
    connectRedis(server.url, "writer", silentLog),
    connectRedis(server.url, "invalidations", silentLog),
  ]);
  feed = new InvalidationFeed({ redis: tracked, listener, log: silentLog });
  said = [];
  leave = await monitorRedis(server.url, (words) => {
    const line = words.slice(0, 2).join(" ").toLowerCase();
    if (/^(client (id|tracking)|(un)?subscribe)/.test(line)) said.push(line);
  });
});
afterEach(async () => {
  feed.stop();
  for (const connection of [tracked, listener]) connection.disconnect();
  leave();
  await server.stop();
});

const subscribing = ["client id", "subscribe __redis__:invalidate"];
const tracking = ["client tracking", "client tracking"];

it("reads the listener's id before it subscribes and never unsubscribes, which Valkey 8.0 rejects without a subscription", async () => {
  await feed.start();
  expect(feed.trusted).toBe(true);
  await eventually("all of it", () => said.length >= 4);
  expect(said).toEqual([...subscribing, ...tracking]);
});

it.each<[string, () => RedisClient, readonly string[]]>([
  ["the listener: it asks and subscribes anew", () => listener, [...subscribing, ...tracking]],
  ["the reader: the listener, still subscribed, is not asked", () => tracked, ["subscribe __redis__:invalidate", ...tracking]],
])("tracks again after the loss of a connection, of %s", async (_, lost, again) => {
  const changed: string[] = [];
  feed.onKeys((key) => changed.push(key));
  await feed.start();
  const ended = new Promise<void>((resolve) => lost().once("close", () => resolve()));
  await server.client.client("KILL", "ID", await idOf(lost()));
  await ended;
  await eventually("trust", () => feed.trusted);
  await tracked.get("key");
  await server.client.set("key", "other");
  await eventually("word of the change", () => changed.includes("key"));
  await eventually("all of it", () => said.length >= 4 + again.length);
  expect(said).toEqual([...subscribing, ...tracking, ...again]);
});

it("tracks again after the listener has closed while it subscribed, which its library does anew by itself", async () => {
  // Simulates a loss during set-up: the listener is subscribed, but its id is unknown.
  await listener.subscribe("__redis__:invalidate");
  await feed.start();
  expect(feed.trusted).toBe(false);
  await eventually("trust", () => feed.trusted);
});

/**
 * Finds the id in the list of clients, because a subscribed connection cannot run CLIENT ID. The flag excludes the test's own connection.
 */
async function idOf(connection: RedisClient): Promise<string> {
  const own = connection === tracked ? / name=trunkline-writer .* flags=[^ ]*t/ : / name=trunkline-invalidations /;
  const line = String(await server.client.client("LIST"))
    .split("\n")
    .find((one) => own.test(one));
  return /^id=(\d+)/.exec(line ?? "")?.[1] ?? "none";
}
