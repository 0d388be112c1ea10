import { describe, expect, it } from "vitest";
import { judge, limitText, verdict, type Bar, type Limit } from "../../../bench/bar.js";

const speed: Bar = { name: "speed", unit: "", limit: { atLeast: 0.9 } };

describe("a bar", () => {
  it.each<[Limit, number, string]>([
    [{ atLeast: 0.9 }, 0.9, "met"],
    [{ atLeast: 0.9 }, 0.45, "missed by 50.0 %"],
    [{ atMost: 10 }, 10, "met"],
    [{ atMost: 10 }, 12.5, "missed by 25.0 %"],
    [{ exactly: 1 }, 1, "met"],
    [{ exactly: 1 }, 1.5, "missed by 50.0 %"],
    [{ exactly: 1 }, 0.5, "missed by 50.0 %"],
    [{ exactly: 0 }, 3, "missed by 3.00"],
    ["reported", 0.1, "reported"],
  ])("of %j is, at %d, %s", (limit, value, text) => expect(verdict({ limit, value })).toBe(text));

  it.each<[Limit, string, string]>([
    [{ atLeast: 0.9 }, "", "≥ 0.900"],
    [{ atMost: 10 }, "ms", "≤ 10.0 ms"],
    ["reported", "", "report"],
  ])("of %j in %j reads %s", (limit, unit, text) => expect(limitText({ name: "speed", unit, limit })).toBe(text));

  it("is judged by the median of the rounds, which are kept", () => {
    expect(judge([speed], { speed: [0.8, 1, 0.95] })).toEqual([{ ...speed, value: 0.95, min: 0.8, max: 1 }]);
  });
  it.each<[string, Readonly<Record<string, number | readonly number[]>>, RegExp]>([
    ["no value", {}, /"speed" has no value/],
    ["no rounds", { speed: [] }, /"speed" has no value/],
    ["a value that is no number", { speed: Number.NaN }, /"speed" has no value/],
    ["a value that nobody asked for", { speed: 1, sped: 1 }, /no bar is called sped/],
  ])("with %s is a mistake of the scenario", (_what, values, reason) => expect(() => judge([speed], values)).toThrow(reason));
});
