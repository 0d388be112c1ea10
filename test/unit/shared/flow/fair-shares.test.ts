import { expect, it } from "vitest";
import { FairShares } from "../../../../shared/flow/fair-shares.js";

const fill = (shares: FairShares, key: string): (() => void)[] => {
  const taken: (() => void)[] = [];
  while (shares.hasShare(key)) taken.push(shares.take(key));
  return taken;
};

it("leave a place for the next key, however many hold all that they may", () => {
  const shares = new FairShares(() => 100);
  expect(fill(shares, "first")).toHaveLength(34);
  for (let key = 0; shares.total < 100; key += 1) expect(fill(shares, String(key)).length).toBeGreaterThan(0);
  expect(shares.hasShare("another")).toBe(false);
});

it("shrink as others come and grow as they leave", () => {
  const shares = new FairShares(() => 90);
  const first = fill(shares, "a");
  const second = fill(shares, "b");
  expect(second.length).toBeLessThan(first.length);
  expect(shares.hasShare("b")).toBe(false);
  for (const release of first) release();
  expect(shares.hasShare("b")).toBe(true);
});

it("count a place that is given back once, and one beyond the share", () => {
  const shares = new FairShares(() => 2);
  const [first, second, beyond] = [shares.take("a"), shares.take("a"), shares.take("a")];
  expect([shares.total, shares.held("a"), shares.hasShare("b")]).toEqual([3, 3, false]);
  beyond();
  beyond();
  first();
  second();
  expect([shares.total, shares.held("a"), shares.hasShare("b")]).toEqual([0, 0, true]);
});
