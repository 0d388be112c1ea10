import { describe, expect, it } from "vitest";
import { distribution, figureText } from "../../../bench/figure.js";

describe("a figure", () => {
  it("makes its quantiles of all samples, in whatever order they came", () => {
    const samples = Array.from({ length: 1_000 }, (_, i) => ((i * 7) % 1_000) + 1);
    expect(distribution(samples)).toEqual({ count: 1_000, p50: 501, p99: 991, max: 1_000 });
  });

  it.each([
    [0.012345, "0.012"],
    [1.2345, "1.23"],
    [56.789, "56.8"],
    [1234.5, "1,235"],
    [0, "0.000"],
  ])("%d is shown as %s", (value, text) => expect(figureText({ value })).toBe(text));

  it("says how many samples it stands on", () =>
    expect(figureText({ value: { samples: [3, 1, 2] } })).toBe("p50 2.00, p99 3.00, max 3.00 (n = 3)"));

  it("shows rounds as what lies in the middle and how far they are apart", () =>
    expect(figureText({ value: { rounds: [30, 10, 20] } })).toBe("20.0 (10.0–30.0)"));
});
