import { describe, expect, it } from "vitest";
import { plausible, used, waitMs } from "../../../../shard/pace/rate.js";

const rate = { intervalMs: 10, burst: 3 };

describe("a rate of one in 10 ms, 3 at once", () => {
  it("lets 3 pass after a rest, and then one in each 10 ms", () => {
    const passedAt: number[] = [];
    let usedUntil = -Infinity;
    for (let now = 100; now < 140; now += 1) {
      while (waitMs(rate, usedUntil, now) === 0) {
        passedAt.push(now);
        usedUntil = used(rate, usedUntil, now);
      }
    }
    expect(passedAt).toEqual([100, 100, 100, 110, 120, 130]);
  });
  it.each([
    ["at rest", -Infinity, 0, 0],
    ["at rest, behind two", -Infinity, 2, 0],
    ["at rest, behind three", -Infinity, 3, 10],
    ["half used", 115, 0, 0],
    ["half used, behind one", 115, 1, 5],
    ["used", 130, 0, 10],
    ["used, behind five", 130, 5, 60],
  ])("%s: waits for what it must", (_, usedUntil, ahead, expected) => {
    expect(waitMs(rate, usedUntil, 100, ahead)).toBe(expected);
  });
  it("makes no more of what it reads than a burst", () => {
    expect([plausible(rate, 1e9, 100), plausible(rate, 115, 100), plausible(rate, -5, 100)]).toEqual([130, 115, -5]);
  });
});
