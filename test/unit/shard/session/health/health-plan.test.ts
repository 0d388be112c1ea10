import { expect, it } from "vitest";
import type { Restriction } from "../../../../../shared/session/stored-health.js";
import { isNews, restrictionAfter } from "../../../../../shard/session/health/health-plan.js";

const now = Date.parse("2026-11-21T12:00:00.000Z");
const hour = 3_600_000;
const at = (hours: number): string => new Date(now + hours * hour).toISOString();
const a = (cause: Restriction["cause"], hours: number, reason = cause as string): Restriction => ({
  account: "1",
  cause,
  reason,
  until: at(hours),
});
const report = (cause: Restriction["cause"], hours: number, reason = cause as string) => ({
  cause,
  reason,
  until: new Date(now + hours * hour),
});

it.each<[string, Restriction | undefined, ReturnType<typeof report>, Restriction]>([
  ["the first restriction", undefined, report("refusal", 24), a("refusal", 24)],
  ["the platform's time instead of a guess", a("refusal", 24), report("lock", 2), a("lock", 2)],
  ["the platform's time although another message was refused", a("lock", 2), report("refusal", 24), a("lock", 2)],
  ["a refusal again, a day longer", a("refusal", 20), report("refusal", 24), a("refusal", 24)],
  ["a lock that ends earlier now", a("lock", 5), report("lock", 2), a("lock", 2)],
  ["a lock that ends moments later", a("lock", 5), report("lock", 5.001), a("lock", 5)],
  ["of a lock and a cap, what ends later", a("cap", 50), report("lock", 2), a("cap", 50)],
  ["a cap that ends after the lock", a("lock", 2), report("cap", 50), a("cap", 50)],
  ["ninety days of ten years", undefined, report("lock", 87_600), a("lock", 2_160)],
])("%s holds", (_, before, reported, after) => {
  expect(restrictionAfter(before, reported, "1", now)).toEqual(after);
});

it.each<[string, Restriction | undefined, Restriction, boolean]>([
  ["a new restriction", undefined, a("lock", 2), true],
  ["another reason", a("refusal", 2), a("lock", 2), true],
  ["an end within the hour", a("lock", 2), a("lock", 2.5), false],
  ["an end hours later", a("lock", 2), a("lock", 5), true],
])("%s is news or not", (_, before, after, expected) => {
  expect(isNews(before, after)).toBe(expected);
});
