import { describe, expect, it } from "vitest";
import { FailureCounts } from "../../../../../router/tenant/guard/failure-counts.js";

const seconds = (count: number): number => count * 1_000;

describe("failures of one key", () => {
  it("are too many past ten within a minute, until that minute has passed", () => {
    const counts = new FailureCounts(10);
    for (let n = 0; n < 10; n++) {
      expect(counts.waitMs("k", seconds(n))).toBe(0);
      counts.add("k", 1, seconds(n));
    }
    expect(counts.waitMs("k", seconds(9))).toBe(seconds(51));
    expect(counts.waitMs("k", seconds(59))).toBe(seconds(1));
    expect(counts.waitMs("other", seconds(9))).toBe(0);
  });

  it("come back one after the other in the minute that follows", () => {
    const counts = new FailureCounts(10);
    counts.add("k", 10, 0);
    expect(counts.waitMs("k", seconds(61))).toBe(0);
    counts.add("k", 1, seconds(61));
    // 1 + 10 x 59/60 is more than ten; 1 + 10 x 54/60 is not.
    expect(counts.waitMs("k", seconds(61))).toBeCloseTo(seconds(5), -1);
    expect(counts.waitMs("k", seconds(66) + 1)).toBe(0);
  });

  it("of two minutes ago do not count", () => {
    const counts = new FailureCounts(10);
    counts.add("k", 1_000, 0);
    expect(counts.waitMs("k", seconds(119))).toBeGreaterThan(0);
    expect(counts.waitMs("k", seconds(120))).toBe(0);
  });

  it("are forgotten when others make too many keys, the oldest first", () => {
    const counts = new FailureCounts(1, 3);
    for (const key of ["a", "b", "c"]) counts.add(key, 1, 0);
    counts.add("a", 1, 1);
    counts.add("d", 1, 2);
    expect(counts.size).toBe(3);
    expect(["a", "b", "c", "d"].map((key) => counts.waitMs(key, 3) > 0)).toEqual([true, false, true, true]);
  });
});
