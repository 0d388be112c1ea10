import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";
import { slotCount } from "../../../../shared/limits.js";
import { keys } from "../../../../shared/redis/keys.js";
import { targetMap } from "../../../../shard/host/placement.js";
import { placeable, ruleOf, TargetPlacement } from "../../../../shard/host/target-placement.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const member = (name: string, change: Partial<MemberRecord> = {}): MemberRecord => ({
  name,
  incarnation: `${name}1`,
  sequence: "1",
  state: "active",
  weight: 1,
  host: "h",
  buriedBy: "",
  ...change,
});
const share = (map: readonly string[], name: string): number => map.filter((owner) => owner === name).length;

describe("placeable", () => {
  it.each<[string, MemberRecord[], { name: string; weight: number }[], string[]?]>([
    [
      "active members with their weights",
      [member("a"), member("b", { weight: 3 })],
      [
        { name: "a", weight: 1 },
        { name: "b", weight: 3 },
      ],
    ],
    ["none that drains", [member("a"), member("b", { state: "draining" })], [{ name: "a", weight: 1 }]],
    ["none that is dead or gone", [member("a", { state: "dead" }), member("b", { state: "gone" })], []],
    ["none that an operator drained", [member("a"), member("b")], [{ name: "a", weight: 1 }], ["b"]],
    [
      "none that an operator drained, in another life too",
      [member("a"), member("b", { incarnation: "b2" })],
      [{ name: "a", weight: 1 }],
      ["b"],
    ],
    ["none at all where only drained ones live: a mark is kept to", [member("b")], [], ["b"]],
  ])("%s", (_, members, placed, drained = []) => {
    expect(placeable(members, new Set(drained))).toEqual(placed);
  });
});

describe("ruleOf", () => {
  it.each<[string, 1 | 2, MemberRecord[]]>([
    ["the newest, where all know it", 2, [member("a", { rule: 2 }), member("b", { rule: 3 })]],
    ["the first, while one knows no other", 1, [member("a", { rule: 2 }), member("b")]],
    ["the first, while one says so", 1, [member("a", { rule: 2 }), member("b", { rule: 1 })]],
    ["the newest again, when that one leaves", 2, [member("a", { rule: 2 }), member("b", { state: "draining" })]],
    ["the newest, whatever the dead knew", 2, [member("a", { rule: 2 }), member("b", { state: "dead" }), member("c", { state: "gone" })]],
  ])("is %s", (_, rule, members) => {
    expect(ruleOf(members)).toBe(rule);
  });
});

describe("TargetPlacement", () => {
  it("places as the oldest member does, until that one has gone", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `m${i}`);
    let members = names.map((name) => member(name, { rule: 2 }));
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members }, schema: { written: 1 } });
    const placed = names.map((name) => ({ name, weight: 1 }));
    await placement.refresh();
    expect(placement.map).toEqual(targetMap(placed, new Map(), 2));
    members = [...members.slice(0, -1), member("m299")];
    expect(placement.fits).toBe(false);
    await placement.refresh();
    expect(placement.map).toEqual(targetMap(placed, new Map(), 1));
    expect(placement.map).not.toEqual(targetMap(placed, new Map(), 2));
    members = [...members.slice(0, -1), member("m299", { state: "draining" })];
    await placement.refresh();
    expect(placement.map).toEqual(targetMap(placed.slice(0, -1), new Map(), 2));
  });
  it("has none for a shard that cannot read what is stored, and is not shaken by it", async () => {
    let members = [member("a", { rule: 2 }), member("b", { rule: 2 })];
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members }, schema: { written: 2 } });
    await placement.refresh();
    const { map } = placement;
    members = [...members, member("c")];
    expect(placement.fits).toBe(true);
    await placement.refresh();
    expect(placement.map).toBe(map);
  });
  it("is one placement at a time, however often it is asked for", async () => {
    let members = [member("a", { rule: 2 })];
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members }, schema: { written: 1 } });
    const first = placement.refresh();
    members = [member("a", { rule: 2 }), member("b", { rule: 2 })];
    await Promise.all([first, placement.refresh()]);
    expect(placement.fits).toBe(true);
    expect(share(placement.map, "b")).toBe(slotCount / 2);
  });
  it("follows states, weights and pins, and begins anew to count with each change", async () => {
    let members = [member("a")];
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members }, schema: { written: 1 } });
    /** True when a new target began. */
    const changes = async (): Promise<boolean> => {
      const before = placement.map;
      await placement.refresh();
      return placement.map !== before;
    };
    expect(await changes()).toBe(true);
    expect(placement.fits).toBe(true);
    expect(share(placement.map, "a")).toBe(slotCount);
    const { ageMs } = placement;
    members = [member("a", { sequence: "2" })];
    expect(placement.fits).toBe(true);
    expect(await changes()).toBe(false);
    expect(placement.ageMs).toBeGreaterThanOrEqual(ageMs);
    members = [member("a"), member("b")];
    expect(placement.fits).toBe(false);
    expect(await changes()).toBe(true);
    expect(placement.fits).toBe(true);
    expect(share(placement.map, "b")).toBe(slotCount / 2);
    members = [member("a"), member("b", { weight: 3 })];
    expect(await changes()).toBe(true);
    expect(share(placement.map, "b") / slotCount).toBeCloseTo(3 / 4, 1);
    const slot = placement.map.indexOf("b");
    await redis.client.hset(keys.pins, String(slot), "a");
    expect(await changes()).toBe(true);
    expect(placement.map[slot]).toBe("a");
    await redis.client.sadd(keys.drained, "a");
    expect(await changes()).toBe(true);
    expect(share(placement.map, "a")).toBe(0);
    expect(["a", "b"].map((name) => placement.isDrained(name))).toEqual([true, false]);
    await redis.client.srem(keys.drained, "a");
    expect(await changes()).toBe(true);
    expect(placement.map[slot]).toBe("a");
    expect(placement.isDrained("a")).toBe(false);
    const { ageMs: before } = placement;
    await redis.client.hset(keys.pins, String(slot), "b");
    expect(await changes()).toBe(true);
    await redis.client.sadd(keys.drained, "a");
    expect(await changes()).toBe(true);
    // An operator's word begins no new count.
    expect(placement.ageMs).toBeGreaterThan(before);
    await redis.client.srem(keys.drained, "a");
    members = [member("a"), member("b", { state: "draining" })];
    expect(await changes()).toBe(true);
    expect(share(placement.map, "b")).toBe(0);
  });
});
