import { describe, expect, it } from "vitest";
import { randomNonce } from "../../../../shared/config/random-nonce.js";

describe("randomNonce", () => {
  it("returns the requested number of bytes, and never the same ones to two callers", () => {
    const lengths = [12, 9, 1, 12, 24];
    const given = Array.from({ length: 5_000 }, (_, n) => randomNonce(lengths[n % lengths.length] ?? 0));
    expect(given.map(({ length }) => length)).toEqual(given.map((_, n) => lengths[n % lengths.length]));
    const long = given.filter(({ length }) => length >= 9).map((bytes) => bytes.toString("hex"));
    expect(new Set(long).size).toBe(long.length);
    // Overlapping or unfilled bytes would repeat the beginning of another nonce.
    const starts = long.map((text) => text.slice(0, 16));
    expect(new Set(starts).size).toBe(starts.length);
    expect(given.some(({ length }, n) => length >= 9 && given[n]?.every((byte) => byte === 0))).toBe(false);
  });

  it("leaves what it gave as it was", () => {
    const first = randomNonce(12);
    const before = first.toString("hex");
    for (let n = 0; n < 2_000; n += 1) randomNonce(12);
    expect(first.toString("hex")).toBe(before);
    first.fill(0);
    expect(randomNonce(12).equals(first)).toBe(false);
  });
});
