import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemberWatch } from "../../../../shared/cluster/member-watch.js";
import { join, readMembers, type MemberRecord } from "../../../../shared/cluster/membership.js";
import { silentLog, type Log } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { outdated, OutdatedShards } from "../../../../shard/schema/outdated-shards.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

const member = (name: string, change: Partial<MemberRecord> = {}): MemberRecord => ({
  ...{ name, incarnation: `${name}1`, sequence: "1", state: "active", weight: 1, host: "h", buriedBy: "" },
  ...change,
});

describe("outdated", () => {
  it.each<[string, number, Partial<MemberRecord>, boolean]>([
    ["one that knows no schema", 2, {}, true],
    ["one that leaves", 2, { state: "draining" }, true],
    ["nobody while it reads all", 1, {}, false],
    ["nobody who knows of schemas", 2, { rule: 2 }, false],
    ["nobody who is dead", 2, { state: "dead" }, false],
    ["nobody who has left", 2, { state: "gone" }, false],
  ])("is %s", (_, written, change, is) => {
    expect(outdated([member("a", { rule: 2 }), member("b", change)], { written }).map(({ name }) => name)).toEqual(is ? ["b"] : []);
  });
});

describe("a shard of before there was a schema", () => {
  let redis: TestRedis;
  let subscriber: RedisClient;
  let members: MemberWatch;
  let shards: OutdatedShards;
  const told: unknown[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    subscriber = await connectRedis(redis.url, "subscriber", silentLog);
  });
  afterAll(async () => {
    subscriber.disconnect();
    await redis.stop();
  });
  beforeEach(async () => {
    await redis.client.flushall();
    members = new MemberWatch({ redis: redis.client, subscriber, log: silentLog });
    const log = { ...silentLog, error: (fields: unknown) => void told.push(fields) } as Log;
    shards = new OutdatedShards({ redis: redis.client, members, schema: { written: 2 }, log });
  });
  afterEach(async () => {
    shards.stop();
    await members.stop();
  });
  /** As such a version writes its record. */
  const joinAs = async (name: string, incarnation: string): Promise<void> => {
    await join(redis.client, { name, incarnation, weight: 1, host: "h" });
    await redis.client.hdel(keys.member(name), "rule");
  };
  const stateOf = async (name: string): Promise<string> => {
    const found = (await readMembers(redis.client)).find((one) => one.name === name);
    return `${found?.incarnation} ${found?.state} ${found?.buriedBy}`;
  };

  it("is turned away, each time that it comes, and told of once; others are left alone", async () => {
    await join(redis.client, { name: "new", incarnation: "n1", weight: 1, host: "h", rule: 2 });
    await joinAs("old", "o1");
    await members.start();
    shards.start();
    await eventually("turned away", async () => (await stateOf("old")) === "o1 dead timeout");
    await joinAs("old", "o2");
    await eventually("turned away again", async () => (await stateOf("old")) === "o2 dead timeout");
    expect(await stateOf("new")).toBe("n1 active ");
    expect(told).toEqual([{ member: "old" }]);
  });
});
