import { describe, expect, it } from "vitest";
import { Backoff } from "../../../../shard/flow/backoff.js";

describe("Backoff", () => {
  it("doubles its bound with each failure up to the longest, and restarts after a success", () => {
    const backoff = new Backoff({ backoffMinMs: 1_000, backoffMaxMs: 60_000 });
    const bounds = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const bound of bounds) {
      const ms = backoff.afterFailure();
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(bound);
    }
    expect(backoff.afterFailure(true)).toBeLessThanOrEqual(1_000);
    expect(backoff.afterFailure()).toBeLessThanOrEqual(2_000);
    backoff.reset();
    expect(backoff.afterFailure()).toBeLessThanOrEqual(1_000);
    expect(backoff.pauseMs(5_000)).toBeLessThanOrEqual(60_000);
  });
});
