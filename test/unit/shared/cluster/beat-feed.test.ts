import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beatAt, beatTag, readFeed, takePlace, writeBeat, type Beat } from "../../../../shared/cluster/beat-feed.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

describe("places in the feed of beats", () => {
  it("are counted up, and stay with their member", async () => {
    expect(await takePlace(redis.client, "a")).toBe(0);
    expect(await takePlace(redis.client, "b")).toBe(1);
    expect(await takePlace(redis.client, "a")).toBe(0);
  });
  it("end at 20,000: who comes later has none", async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => [`m${i}`, i]).flat();
    await redis.client.hset(keys.memberPlaces, ...names);
    expect(await takePlace(redis.client, "one-more")).toBeUndefined();
    expect(await takePlace(redis.client, "m19999")).toBe(19_999);
  });
});

describe("the feed of beats", () => {
  it.each<Beat>([
    { tag: beatTag("a1"), sequence: 1, isDraining: false },
    { tag: 0, sequence: 1, isDraining: true },
    { tag: 0xffff_ffff, sequence: 0x7fff_ffff, isDraining: true },
  ])("says what was told: $tag $sequence $isDraining", async (told) => {
    await writeBeat(redis.client, 3, told);
    expect(beatAt(await readFeed(redis.client), 3)).toEqual(told);
  });
  it("contains no members without beats, nor places beyond its end", async () => {
    expect(beatAt(await readFeed(redis.client), 0)).toBeUndefined();
    await writeBeat(redis.client, 3, { tag: 1, sequence: 1, isDraining: false });
    const feed = await readFeed(redis.client);
    expect([0, 1, 2, 4].map((place) => beatAt(feed, place))).toEqual([undefined, undefined, undefined, undefined]);
  });
});
