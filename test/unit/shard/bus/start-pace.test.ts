import { expect, it } from "vitest";
import { nextAtOnce, restMs, startsMax } from "../../../../shard/bus/start-pace.js";

it.each([
  ["a long turn halves them", 32, 5, 16],
  ["down to one, which is always let in", 1, 500, 1],
  ["a short turn lets one more begin", 7, 0.5, 8],
  ["up to the most", startsMax, 0.5, startsMax],
  ["what is between is left as it is", 7, 3, 7],
])("%s", (_, atOnce, turnMs, expected) => {
  expect(nextAtOnce(atOnce, turnMs)).toBe(expected);
});

it.each([
  ["a third of the time that it has worked", 6, 6, 2],
  ["less by the time that it was idle already", 6, 7, 1],
  ["not at all when that was enough", 6, 8, 0],
  ["nor for less than a timer can wait", 6, 7.9, 0],
  ["not beyond 100 ms, however long it has worked", 90, 90, 10],
  ["so not at all after that", 400, 400, 0],
])("rests %s", (_, busyMs, sinceMs, expected) => {
  expect(restMs(busyMs, sinceMs)).toBeCloseTo(expected);
});
