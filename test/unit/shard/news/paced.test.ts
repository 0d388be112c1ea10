import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Paced } from "../../../../shard/news/paced.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells of each subject at once, then once a second while more happens, and rests when nothing does", () => {
  const told: string[] = [];
  const paced = new Paced<string>((subject) => void told.push(`${subject} ${Date.now() - startedAt}`));
  const startedAt = Date.now();
  paced.happened("a");
  for (let n = 0; n < 50; n++) paced.happened("a");
  paced.happened("b");
  expect(told).toEqual(["a 0", "b 0"]);
  vi.advanceTimersByTime(999);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(told.slice(2)).toEqual(["a 1000"]);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  paced.happened("a");
  expect(told.at(-1)).toBe("a 11000");
});

it("at its end tells what has not been told, and leaves no timer", () => {
  const told: string[] = [];
  const paced = new Paced<string>((subject) => void told.push(subject));
  for (const subject of ["a", "a", "b"]) paced.happened(subject);
  paced.stop();
  expect(told).toEqual(["a", "b", "a"]);
  expect(vi.getTimerCount()).toBe(0);
});
