import { describe, expect, it } from "vitest";
import type { AttemptResult } from "../../../../shard/webhook/attempt-result.js";
import { parseRetryAfter, retryDelayMs } from "../../../../shard/webhook/retry-delay.js";
import { defaultTiming } from "../../../../shard/webhook/timing.js";

const failed: AttemptResult = { outcome: "server-error", status: 500 };
const middle = (): number => 0.5;

describe("retryDelayMs", () => {
  it("grows as written down, and stays at a quarter of an hour", () => {
    const seconds = Array.from({ length: 14 }, (_, i) => Math.round(retryDelayMs(i + 1, failed, defaultTiming, middle)) / 1_000);
    expect(seconds).toEqual([1, 2, 5, 15, 30, 60, 120, 240, 480, 900, 900, 900, 900, 900]);
    expect(retryDelayMs(100, failed, defaultTiming, middle)).toBeCloseTo(900_000);
  });
  it("varies by a fifth in both directions", () => {
    for (const attempts of [1, 3, 9, 40]) {
      const [low, mid, high] = [0, 0.5, 1].map((random) => retryDelayMs(attempts, failed, defaultTiming, () => random));
      expect((low ?? 0) / (mid ?? 1)).toBeCloseTo(0.8);
      expect((high ?? 0) / (mid ?? 1)).toBeCloseTo(1.2);
    }
  });
  it("waits as long as the receiver requests, at most an hour, and never less than the usual delay", () => {
    const delay = (retryAfterMs: number): number =>
      Math.round(retryDelayMs(1, { outcome: "client-error", status: 429, retryAfterMs }, defaultTiming, middle));
    expect([delay(0), delay(30_000), delay(7_200_000)]).toEqual([1_000, 30_000, 3_600_000]);
  });
  it("leaves a receiver that says it is gone alone at once", () => {
    expect(retryDelayMs(1, { outcome: "client-error", status: 410 }, defaultTiming, middle)).toBeCloseTo(900_000);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each<[string | string[] | undefined, number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    [" 5 ", 5_000],
    ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["99999999999", undefined],
    ["", undefined],
    [undefined, undefined],
    [["1", "2"], undefined],
  ])("%j: %s", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
