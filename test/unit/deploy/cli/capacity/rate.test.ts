import { expect, it } from "vitest";
import { percent, rate } from "../../../../../deploy/cli/capacity/rate.js";

it.each([
  ["50", 50],
  ["50/s", 50],
  ["0.5/s", 0.5],
  ["3000/min", 50],
  ["7200/h", 2],
  ["1e6/day", 1e6 / 86_400],
  ["0/s", 0],
])("%s is %d a second", (text, perSecond) => {
  expect(rate(text)).toBeCloseTo(perSecond);
});

it.each(["", "x", "-1/s", "5/week", "1/s/s", " 5", "1e99"])("%j is no rate", (text) => {
  expect(() => rate(text)).toThrow("Expected a rate such as 50/s, 3000/min or 1e6/day.");
});

it("a percentage goes from 0 to 100", () => {
  expect([percent("0"), percent("100")]).toEqual([0, 100]);
  for (const text of ["101", "-1", "1.5", "", "x"]) expect(() => percent(text)).toThrow("from 0 to 100");
});
