import { expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { isYoung } from "../../../../shard/session/young-account.js";

const now = Date.parse("2026-11-23T12:00:00Z");
const dayMs = 86_400_000;

it.each([
  ["made now", 0, 14, true],
  ["made a day less ago", 13, 14, true],
  ["made two weeks ago", 14, 14, false],
  ["made a year ago", 365, 14, false],
  ["made by a clock that goes fast", -1, 14, true],
  ["made by such a clock, where none counts as young", -1, 0, false],
  ["made now, where none counts as young", 0, 0, false],
])("a session that was %s", (_, daysAgo, youngDays, expected) => {
  expect(isYoung(newSessionId(now - daysAgo * dayMs), undefined, youngDays * dayMs, now)).toBe(expected);
});

it.each([
  ["two days ago", 2, 14, true],
  ["two weeks ago", 14, 14, false],
  ["two days ago, where none counts as young", 2, 0, false],
])("an account that was linked %s in a session of a year", (_, daysAgo, youngDays, expected) => {
  const linkedAt = new Date(now - daysAgo * dayMs);
  expect(isYoung(newSessionId(now - 365 * dayMs), linkedAt, youngDays * dayMs, now)).toBe(expected);
});
