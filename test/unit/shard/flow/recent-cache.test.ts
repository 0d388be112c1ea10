import { afterEach, expect, test, vi } from "vitest";
import { recentCache } from "../../../../shard/flow/recent-cache.js";

afterEach(() => void vi.restoreAllMocks());

test("keeps the last used and no more than its share", () => {
  const cache = recentCache<string>(3);
  for (const key of ["a", "b", "c"]) cache.set(key, key);
  cache.get("a");
  cache.set("d", "d");
  expect([...cache.entries()].map(([key]) => key)).toEqual(["d", "a", "c"]);
  for (let n = 0; n < 10_000; n++) cache.set(`key ${n}`, "x");
  expect(cache.size).toBe(3);
});

test("answers while it has no value yet, and after it was cleared", () => {
  const cache = recentCache<string>(3);
  const isEmpty = (): void => {
    expect([cache.get("a"), cache.has("a"), cache.size, [...cache.entries()]]).toEqual([undefined, false, 0, []]);
  };
  isEmpty();
  cache.delete("a");
  cache.set("a", "a");
  expect([cache.get("a"), cache.has("a"), cache.size]).toEqual(["a", true, 1]);
  cache.clear();
  isEmpty();
});

test("forgets what is older than its time, used or not", async () => {
  const cache = recentCache<string>(3, 60_000);
  const { now } = performance;
  cache.set("a", "a");
  const later = async (ms: number): Promise<string | undefined> => {
    // The cache reads the clock at most once per millisecond.
    await new Promise((resolve) => setTimeout(resolve, 5));
    vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + ms);
    const found = cache.get("a");
    vi.restoreAllMocks();
    return found;
  };
  expect(await later(0)).toBe("a");
  expect(await later(59_000)).toBe("a");
  expect(await later(61_000)).toBeUndefined();
});
