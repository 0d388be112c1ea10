import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SlowReaders, type WaitingReader } from "../../../../router/http/slow-readers.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

const limit = { bytesPerSecond: 8 * 1024, windowMs: 60_000 };

class Reader implements WaitingReader {
  looks: number[] = [];
  onCheck: (() => void) | undefined;
  check(): void {
    this.looks.push(performance.now());
    this.onCheck?.();
  }
}

it("checks each reader 3 s after its wait began, and then every 3 s", () => {
  const readers = new SlowReaders(limit);
  const [one, two] = [new Reader(), new Reader()];
  const from = performance.now();
  readers.add(one);
  vi.advanceTimersByTime(1_200);
  readers.add(two);
  vi.advanceTimersByTime(9_000);
  expect(one.looks.map((at) => at - from)).toEqual([3_000, 6_000, 9_000]);
  expect(two.looks.map((at) => at - from)).toEqual([4_200, 7_200, 10_200]);
});

it("stops checking readers that no longer wait, and keeps no idle timer", () => {
  const readers = new SlowReaders(limit);
  const [one, two] = [new Reader(), new Reader()];
  readers.add(one);
  readers.add(two);
  // The first reader leaves during its own check, as a too slow reader does.
  one.onCheck = () => readers.delete(one);
  vi.advanceTimersByTime(3_000);
  readers.delete(two);
  vi.advanceTimersByTime(10_000);
  expect([one.looks.length, two.looks.length, vi.getTimerCount()]).toEqual([1, 1, 0]);
  readers.add(two);
  vi.advanceTimersByTime(3_000);
  expect(two.looks).toHaveLength(2);
});

it("waits no longer than a twelfth of the window", () => {
  const readers = new SlowReaders({ ...limit, windowMs: 1_200 });
  const one = new Reader();
  readers.add(one);
  vi.advanceTimersByTime(1_000);
  expect(one.looks).toHaveLength(10);
});
