import { describe, expect, it } from "vitest";
import { slotOf } from "../../../../shared/cluster/slot.js";
import { targetMap } from "../../../../shard/host/placement.js";
import { isSessionId, newSessionId } from "../../../../shared/contract/ids.js";
import { slotCount } from "../../../../shared/limits.js";

const members = (count: number): { name: string; weight: number }[] =>
  Array.from({ length: count }, (_, i) => ({ name: `shard-${i + 1}`, weight: 1 }));
const load = (map: readonly string[], name: string): number => map.filter((member) => member === name).length;
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
    // Measured for this scheme: 7.3 % against an ideal of 5.9 %.
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.1);
  });
  it("moves every slot of a member that left, and little else", () => {
    const before = targetMap(members(4), new Map());
    const after = targetMap(members(3), new Map());
    expect(load(after, "shard-4")).toBe(0);
    expect(moved(before, after) - load(before, "shard-4")).toBeLessThan(slotCount * 0.12);
  });
  it("obeys pins to living members and ignores the others", () => {
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
