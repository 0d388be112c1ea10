import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Throttle } from "../../../../../shard/session/live-events/throttle.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reports each subject at once, then once a second while events continue, and leaves no timer", () => {
  const reports: string[] = [];
  const throttle = new Throttle<string>((subject) => void reports.push(`${subject} ${Date.now() - startedAt}`));
  const startedAt = Date.now();
  throttle.happened("a");
  for (let n = 0; n < 50; n++) throttle.happened("a");
  throttle.happened("b");
  expect(reports).toEqual(["a 0", "b 0"]);
  vi.advanceTimersByTime(999);
  expect(reports).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(reports.slice(2)).toEqual(["a 1000"]);
  vi.advanceTimersByTime(10_000);
  expect(reports).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  throttle.happened("a");
  expect(reports.at(-1)).toBe("a 11000");
});

it("reports the remaining events when it stops, and leaves no timer", () => {
  const reports: string[] = [];
  const throttle = new Throttle<string>((subject) => void reports.push(subject));
  for (const subject of ["a", "a", "b"]) throttle.happened(subject);
  throttle.stop();
  expect(reports).toEqual(["a", "b", "a"]);
  expect(vi.getTimerCount()).toBe(0);
});
