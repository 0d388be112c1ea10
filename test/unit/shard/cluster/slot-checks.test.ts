import { describe, expect, it } from "vitest";
import type { SlotToken } from "../../../../shared/cluster/ownership.js";
import { slotCount } from "../../../../shared/limits.js";
import { SlotChecks } from "../../../../shard/cluster/slot-checks.js";

const held = (slots: readonly number[], token = "1") => new Map(slots.map((slot) => [slot, { token: token as SlotToken }]));
const every = Array.from({ length: slotCount }, (_, slot) => slot);

/** Returns checks whose slots were read at the beats 1 to `beats`. */
function settled(beats: number): SlotChecks {
  const checks = new SlotChecks();
  for (let sequence = 1; sequence <= beats; sequence += 1) read(checks, checks.due(sequence, held(every)));
  return checks;
}

function read(checks: SlotChecks, slots: readonly number[], token = "1"): void {
  checks.found(slots.map((slot) => [slot, token as SlotToken]));
}

describe("SlotChecks", () => {
  it("reads new slots at two beats in a row, then each slot once in five", () => {
    const checks = new SlotChecks();
    const sizes = Array.from({ length: 12 }, (_, i) => {
      const due = checks.due(i + 1, held(every));
      read(checks, due);
      return due.length;
    });
    expect(sizes.slice(0, 2)).toEqual([slotCount, slotCount]);
    for (const size of sizes.slice(2)) expect(Math.abs(size - slotCount / 5)).toBeLessThan(1);
  });
  it("misses no slot in five beats", () => {
    const checks = settled(10);
    const seen = new Set(Array.from({ length: 5 }, (_, i) => checks.due(11 + i, held(every))).flat());
    expect(seen.size).toBe(slotCount);
  });
  it.each([
    ["a beat repeats an earlier number: Redis lost its last writes", 10],
    ["a beat has a lower number", 4],
    ["a beat counted twice", 12],
  ])("reads all slots when %s", (_, sequence) => {
    expect(settled(10).due(sequence, held(every))).toHaveLength(slotCount);
  });
  it("reads all slots after a beat without a response", () => {
    const checks = settled(10);
    checks.beatFailed();
    expect(checks.due(11, held(every))).toHaveLength(slotCount);
  });
  it("reads a slot again that came back under another token", () => {
    const checks = settled(10);
    const due = checks.due(11, new Map([...held(every), ...held([17], "2")]));
    expect(due).toContain(17);
    read(checks, [17], "2");
    expect(checks.due(12, new Map([...held(every), ...held([17], "2")]))).toContain(17);
  });
  it("forgets slots that have left", () => {
    const checks = settled(10);
    checks.due(11, held([]));
    expect(checks.due(12, held([5]))).toEqual([5]);
  });
});
