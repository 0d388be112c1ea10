import { describe, expect, it } from "vitest";
import { exchanged, atMostBurst, used, waitMs } from "../../../../../shard/tenant/pace/rate.js";

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
    expect([atMostBurst(rate, 1e9, 100), atMostBurst(rate, 115, 100), atMostBurst(rate, -5, 100)]).toEqual([130, 115, -5]);
  });
});

describe("another rate", () => {
  const slow = { intervalMs: 100, burst: 3 };
  it.each([
    ["the same", rate, rate, 1e9, 1e9],
    ["slower: as many as were used", rate, slow, 120, 300],
    ["faster: as many as were used", slow, rate, 300, 120],
    ["a part of one", slow, rate, 150, 105],
    ["one with a smaller burst: that at most", slow, { intervalMs: 100, burst: 1 }, 400, 200],
    ["at rest", slow, rate, 90, 90],
    ["never used", slow, rate, -Infinity, -Infinity],
    ["none", slow, undefined, 300, 300],
    ["where there was none: a burst at most", undefined, rate, 1e9, 130],
  ])("%s", (_, before, after, usedUntil, expected) => {
    expect(exchanged(before, after, usedUntil, 100)).toBe(expected);
  });
});
