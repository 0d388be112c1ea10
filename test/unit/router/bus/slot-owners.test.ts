import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { rememberedMs, SlotOwners } from "../../../../router/bus/slot-owners.js";
import { InvalidationFeed } from "../../../../router/bus/redis/invalidation-feed.js";
import { MemberWatch } from "../../../../shared/cluster/member-watch.js";
import { announceSlots } from "../../../../shared/cluster/ownership.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { until } from "../support.js";

const slot = 7;
let server: TestRedis;
let connections: RedisClient[] = [];
let feed: InvalidationFeed;
let owners: SlotOwners;
let clockMs = 0;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  clockMs = 0;
  await server.client.flushall();
  await own("a", "1");
  connections = await Promise.all(
    (["writer", "writer", "invalidations", "subscriber"] as const).map((role) => connectRedis(server.url, role, silentLog)),
  );
  const [redis, tracked, listener, subscriber] = connections as [RedisClient, RedisClient, RedisClient, RedisClient];
  feed = new InvalidationFeed({ redis: tracked, listener, log: silentLog });
  const watch = new MemberWatch({ redis, subscriber, log: silentLog });
  const members = { lives: (name: string) => name !== "dead", on: watch.on.bind(watch), off: watch.off.bind(watch) };
  owners = new SlotOwners({ feed, redis, subscriber, members, now: () => performance.now() + clockMs });
  await feed.start();
  await owners.start();
});
afterEach(() => {
  owners.stop();
  feed.stop();
  for (const connection of connections) connection.disconnect();
});

async function own(member: string, token: string): Promise<void> {
  await server.client.hset(keys.owner(slot), { m: member, inc: `${member}1`, tok: token, st: "held" });
}

it("sends to the living owner, and to none where the owner is dead or gave the slot up", async () => {
  expect(await owners.owner(slot)).toMatchObject({ member: "a", token: "1" });
  await own("dead", "2");
  await until(() => owners.atHand(slot) === undefined);
  expect(await owners.owner(slot)).toBeUndefined();
  // The cache still returns it. Its reader checks whether the owner lives.
  expect(owners.atHand(slot)).toMatchObject({ member: "dead" });
  await own("b", "3");
  await until(() => owners.atHand(slot) === undefined);
  expect(await owners.owner(slot)).toMatchObject({ member: "b" });
  await server.client.hset(keys.owner(slot), "st", "free");
  await until(() => owners.atHand(slot) === undefined);
  expect(await owners.owner(slot)).toBeUndefined();
});

it("serves nothing from memory while Redis does not track, but sends to the remembered owner for five seconds", async () => {
  feed.stop();
  expect(await owners.owner(slot)).toMatchObject({ member: "a" });
  expect(owners.atHand(slot)).toBeUndefined();
  await own("b", "2");
  expect(await owners.owner(slot)).toMatchObject({ member: "a" });
  clockMs += 5_000;
  expect(await owners.owner(slot)).toMatchObject({ member: "b" });
});

it("has it at hand for two seconds", async () => {
  await owners.read(slot);
  clockMs += rememberedMs - 500;
  expect(owners.atHand(slot)).toMatchObject({ member: "a" });
  clockMs += 500;
  expect(owners.atHand(slot)).toBeUndefined();
});

it("forgets what a message about slots names, and wakes those who wait for a change", async () => {
  feed.stop();
  await owners.owner(slot);
  await own("b", "2");
  const change = owners.change(60_000, new AbortController().signal);
  await announceSlots(server.client, [slot]);
  await change;
  expect(await owners.owner(slot)).toMatchObject({ member: "b" });
});

it("ends a wait for a change with its signal", async () => {
  const ended = new AbortController();
  const change = owners.change(60_000, ended.signal);
  ended.abort();
  await change;
});
