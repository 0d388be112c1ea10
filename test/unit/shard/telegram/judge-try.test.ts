import { expect, test } from "vitest";
import { judgeTry, triesMs } from "../../../../shard/telegram/two-step/judge-try.js";

const now = Date.UTC(2026, 10, 22, 12);
const ago = (...minutes: number[]): number[] => minutes.map((count) => now - count * 60_000);

test.each([
  ["the first", [], [now]],
  ["the fifth", ago(50, 40, 30, 20), [...ago(50, 40, 30, 20), now]],
  ["one after an hour, which forgets what is older", ago(90, 60, 40, 30, 20), [...ago(40, 30, 20), now]],
])("%s try is admitted", (_, tries, left) => {
  expect(judgeTry(tries, now)).toEqual({ kind: "admitted", tries: left });
});

test.each([
  ["until an hour after the first of the last five", ago(45, 40, 30, 20, 10), 15 * 60],
  ["in whole seconds, the last one begun", [now - 45 * 60_000 + 1, ...ago(40, 30, 20, 10)], 15 * 60 + 1],
  ["a minute at least: a shorter wait would have to be waited out", [now - triesMs + 1, ...ago(40, 30, 20, 10)], 60],
  ["an hour at most, where another host's clock was ahead", [1, 2, 3, 4, 5].map((hours) => now + hours * triesMs), 3_600],
  ["by the last five of more", ago(59, 58, 45, 40, 30, 20, 10), 15 * 60],
])("the next one has to wait %s", (_, tries, waitSeconds) => {
  expect(judgeTry(tries, now)).toEqual({ kind: "refused", waitSeconds });
});
