import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";
import { slotCount } from "../../../../shared/limits.js";
import { keys } from "../../../../shared/redis/keys.js";
import { placeable, TargetPlacement } from "../../../../shard/cluster/target-placement.js";
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
    ["none at all if only drained members live", [member("b")], [], ["b"]],
  ])("%s", (_, members, placed, drained = []) => {
    expect(placeable(members, new Set(drained))).toEqual(placed);
  });
});

describe("TargetPlacement", () => {
  it("computes one placement at a time, however often it is requested", async () => {
    let members = [member("a")];
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members } });
    const first = placement.refresh();
    members = [member("a"), member("b")];
    await Promise.all([first, placement.refresh()]);
    expect(placement.fits).toBe(true);
    expect(share(placement.map, "b")).toBe(slotCount / 2);
  });
  it("follows states, weights and pins, and restarts its age with each change", async () => {
    let members = [member("a")];
    const placement = new TargetPlacement({ redis: redis.client, members: { all: () => members } });
    /** Resolves with true when a new target began. */
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
    // An operator's drain does not reset the target's age.
    expect(placement.ageMs).toBeGreaterThan(before);
    await redis.client.srem(keys.drained, "a");
    members = [member("a"), member("b", { state: "draining" })];
    expect(await changes()).toBe(true);
    expect(share(placement.map, "b")).toBe(0);
  });
});
