import { xxHash32 } from "js-xxhash";
import { describe, expect, it } from "vitest";
import { slotOf } from "../../../../shared/contract/slot.js";
import { placeSlots, sharesOf, targetMap, type PlacementMember } from "../../../../shard/cluster/placement.js";
import { SlotScores } from "../../../../shard/cluster/slot-scores.js";
import { isSessionId, newSessionId } from "../../../../shared/contract/ids.js";
import { slotCount } from "../../../../shared/limits.js";

const members = (count: number): { name: string; weight: number }[] =>
  Array.from({ length: count }, (_, i) => ({ name: `shard-${i + 1}`, weight: 1 }));
const load = (map: readonly string[], name: string): number => map.filter((member) => member === name).length;
/** The hashes of a thousand members are computed once. */
const hashed = new SlotScores();
const moved = (a: readonly string[], b: readonly string[]): number => a.filter((member, slot) => member !== b[slot]).length;

describe("targetMap", () => {
  it("is the same in every process, whatever the order in which members were seen", () => {
    const five = members(5);
    expect(targetMap([...five].reverse(), new Map())).toEqual(targetMap(five, new Map()));
  });
  it.each([1, 2, 3, 7, 16, 64])("gives none of %i members more than its share", (count) => {
    const map = targetMap(members(count), new Map());
    expect(map).toHaveLength(slotCount);
    for (const { name } of members(count)) expect(load(map, name)).toBeLessThanOrEqual(Math.ceil(slotCount / count));
  });
  it("gives a member of double weight about double the slots", () => {
    const map = targetMap(
      [
        { name: "a", weight: 2 },
        { name: "b", weight: 1 },
      ],
      new Map(),
    );
    expect(load(map, "a") / load(map, "b")).toBeGreaterThan(1.9);
    expect(load(map, "a") / load(map, "b")).toBeLessThan(2.1);
  });
  it("moves little more than the ideal share when a member joins", () => {
    const share = moved(targetMap(members(16), new Map()), targetMap(members(17), new Map())) / slotCount;
    // Measured for this scheme: 7.3 %. The ideal is 5.9 %.
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.1);
  });
  it("moves every slot of a member that left, and little else", () => {
    const before = targetMap(members(4), new Map());
    const after = targetMap(members(3), new Map());
    expect(load(after, "shard-4")).toBe(0);
    expect(moved(before, after) - load(before, "shard-4")).toBeLessThan(slotCount * 0.12);
  });
  it("applies pins to live members and ignores the others", () => {
    const map = targetMap(
      members(3),
      new Map([
        [5, "shard-2"],
        [6, "shard-9"],
      ]),
    );
    expect(map[5]).toBe("shard-2");
    expect(map[6]).toMatch(/^shard-[123]$/);
  });
  it("is empty without members", () => {
    expect(targetMap([], new Map())).toEqual([]);
  });
  it.each([2, 17, 300, 1_000])("gives each of %i members three quarters of its share at least, and no more than all of it", (count) => {
    const loads = new Map(members(count).map(({ name }) => [name, 0]));
    for (const owner of targetMap(members(count), new Map(), hashed)) loads.set(owner, (loads.get(owner) ?? 0) + 1);
    expect(Math.min(...loads.values())).toBeGreaterThanOrEqual(Math.floor((slotCount * 3) / 4 / count));
    expect(Math.max(...loads.values())).toBeLessThanOrEqual(Math.ceil(slotCount / count));
  });
  it("moves a few slots among a thousand members when one joins or leaves", () => {
    const [fewer, before, after] = [999, 1_000, 1_001].map((count) => targetMap(members(count), new Map(), hashed));
    for (const [a = [], b = []] of [
      [before, fewer],
      [before, after],
    ])
      expect(moved(a, b)).toBeLessThan(20);
  });
  it("takes no pinned slot from a member to fill up another", () => {
    const many = members(1_000);
    const pins = new Map([0, 1, 2, 3, 4, 5, 6, 7].map((slot) => [slot, "shard-1"]));
    const map = targetMap(many, pins, hashed);
    for (const slot of pins.keys()) expect(map[slot]).toBe("shard-1");
  });
  it("does not depend on earlier members", () => {
    const scores = new SlotScores();
    const grown = [3, 70, 5, 64].map((count) => targetMap(members(count), new Map(), scores));
    expect(grown).toEqual([3, 70, 5, 64].map((count) => targetMap(members(count), new Map())));
  });
  it("is computed in small steps, so that other work can run between them", () => {
    const steps = placeSlots(new SlotScores(), members(10), new Map());
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThanOrEqual(slotCount / 64 + (10 * slotCount) / 256);
  });
});

describe("when no member has too few slots", () => {
  /** Returns the map of a bounded weighted rendezvous, written independently of the product. */
  const bounded = (placed: readonly PlacementMember[], pins: ReadonlyMap<number, string>): string[] => {
    const ordered = [...placed].sort((a, b) => (a.name < b.name ? -1 : 1));
    const total = ordered.reduce((sum, { weight }) => sum + weight, 0);
    const room = new Map(ordered.map(({ name, weight }) => [name, Math.ceil((slotCount * weight) / total)]));
    return Array.from({ length: slotCount }, (_, slot) => {
      const pinned = pins.get(slot);
      if (pinned !== undefined && room.has(pinned)) return pinned;
      let [best, bestScore] = ["", -Infinity];
      for (const { name, weight } of ordered) {
        const score = -weight / Math.log((xxHash32(`${name}/${slot}`, 0) + 1) / 4_294_967_297);
        if ((room.get(name) ?? 0) > 0 && score > bestScore) [best, bestScore] = [name, score];
      }
      room.set(best, (room.get(best) ?? 0) - 1);
      return best;
    });
  };
  it.each<[string, PlacementMember[], Map<number, string>]>([
    ["one", members(1), new Map()],
    ["five", members(5), new Map([[7, "shard-2"]])],
    ["seventeen", members(17), new Map()],
    ["members of other weights", members(6).map((member, i) => ({ ...member, weight: 1 + (i % 3) / 2 })), new Map([[7, "shard-9"]])],
    ["long names", members(3).map(({ weight }, i) => ({ name: `a-host-with-a-long-name-shard-${i}`, weight })), new Map()],
  ])("gives a slot to the member with the best score and room: %s", (_, placed, pins) => {
    expect(targetMap(placed, pins)).toEqual(bounded(placed, pins));
  });
});

describe("sharesOf", () => {
  it.each<[string, number[], (readonly [most: number, usual: number, least: number])[]]>([
    [
      "is the same for equals",
      [1, 1, 1],
      [
        [1_366, 1_365, 1_024],
        [1_366, 1_365, 1_024],
        [1_366, 1_365, 1_024],
      ],
    ],
    [
      "follows weights",
      [1, 3],
      [
        [1_024, 1_024, 768],
        [3_072, 3_072, 2_304],
      ],
    ],
  ])("%s", (_, weights, expected) => {
    const shares = sharesOf(weights.map((weight, i) => ({ name: `m${i}`, weight })));
    expect(shares.map(({ most, usual, least }) => [most, usual, least])).toEqual(expected);
  });
});

describe("slotOf", () => {
  it("stays what it was: a changed hash would lose every stored session", () => {
    const known = ["65f0c0ffee0123456789abcd", "000000000000000000000000", "ffffffffffffffffffffffff"];
    expect(known.map((id) => (isSessionId(id) ? slotOf(id) : -1))).toMatchInlineSnapshot(`
      [
        1155,
        1288,
        1100,
      ]
    `);
  });
  it("spreads ids evenly", () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i += 1) {
      const part = slotOf(newSessionId(1_700_000_000_000 + i)) >> 8;
      counts[part] = (counts[part] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});
