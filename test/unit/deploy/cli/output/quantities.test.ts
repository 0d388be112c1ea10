import { expect, it } from "vitest";
import { age, bytes, counted, duration } from "../../../../../deploy/cli/output/quantities.js";

it.each([
  [null, ""],
  [0, "0 B"],
  [1_023, "1023 B"],
  [1_024, "1.0 KiB"],
  [150 * 1_024, "150 KiB"],
  [1.5 * 1_024 ** 3, "1.5 GiB"],
  [9 * 1_024 ** 5, "9216 TiB"],
])("%j bytes are %j", (count, words) => {
  expect(bytes(count)).toBe(words);
});

it.each([
  [-5, "0 s"],
  [400, "0 s"],
  [59_000, "59 s"],
  [60_000, "1 min"],
  [3_661_000, "1 h 1 min"],
  [90_000_000, "1 d 1 h"],
  [86_400_000, "1 d"],
])("%i ms are %j", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

it("shows how long ago an instant was, and nothing without one", () => {
  expect(age("2026-11-22T10:00:00Z", Date.parse("2026-11-22T10:01:30Z"))).toBe("1 min 30 s");
  expect([age("", 0), age(null, 0)]).toEqual(["", ""]);
});

it("counts in words", () => expect([counted(1, "slot"), counted(0, "slot"), counted(2, "slot")]).toEqual(["1 slot", "0 slots", "2 slots"]));
