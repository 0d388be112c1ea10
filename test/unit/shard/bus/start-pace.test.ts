import { expect, it } from "vitest";
import { paced, startsMax } from "../../../../shard/bus/start-pace.js";

it.each([
  ["a long turn halves them", 32, 5, 16],
  ["down to one, which is always let in", 1, 500, 1],
  ["a short turn lets one more begin", 7, 0.5, 8],
  ["up to the most", startsMax, 0.5, startsMax],
  ["what is between is left as it is", 7, 3, 7],
])("%s", (_, atOnce, turnMs, expected) => {
  expect(paced(atOnce, turnMs)).toBe(expected);
});
