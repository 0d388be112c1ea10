import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Throttle } from "../../../../../shard/session/news/throttle.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells of each subject at once, then once a second while more happens, and rests when nothing does", () => {
  const told: string[] = [];
  const throttle = new Throttle<string>((subject) => void told.push(`${subject} ${Date.now() - startedAt}`));
  const startedAt = Date.now();
  throttle.happened("a");
  for (let n = 0; n < 50; n++) throttle.happened("a");
  throttle.happened("b");
  expect(told).toEqual(["a 0", "b 0"]);
  vi.advanceTimersByTime(999);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(told.slice(2)).toEqual(["a 1000"]);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  throttle.happened("a");
  expect(told.at(-1)).toBe("a 11000");
});

it("at its end tells what has not been told, and leaves no timer", () => {
  const told: string[] = [];
  const throttle = new Throttle<string>((subject) => void told.push(subject));
  for (const subject of ["a", "a", "b"]) throttle.happened(subject);
  throttle.stop();
  expect(told).toEqual(["a", "b", "a"]);
  expect(vi.getTimerCount()).toBe(0);
});
