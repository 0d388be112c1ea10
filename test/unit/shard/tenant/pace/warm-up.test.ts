import { describe, expect, it } from "vitest";
import { paceRates } from "../../../../../shard/tenant/pace/pace-rates.js";

const dayMs = 86_400_000;
const linkedAt = new Date("2026-11-01T08:00:00.000Z");
const deployment = { sends: { count: 30, burst: 10 }, newContacts: { count: 20, burst: 5 } };
const off = { sends: { count: 0, burst: 10 }, newContacts: { count: 0, burst: 5 } };
const on = (days: number): { linkedAt: Date; now: number } => ({ linkedAt, now: linkedAt.getTime() + days * dayMs });

describe("a warm-up of 10 days from 43 messages a day", () => {
  const own = { warmUp: { days: 10, from: 43 } };

  // 30 messages a minute are 43,200 a day.
  it.each([
    [0, 43],
    [0.99, 43],
    [1, 4_358],
    [5, 21_621],
    [9.5, 38_884],
  ])("on day %d", (days, perDay) => {
    const { sends, newContacts, warmUp } = paceRates(deployment, own, on(days));
    expect(warmUp).toEqual({ day: Math.floor(days) + 1, days: 10, perDay });
    expect(sends).toEqual({ intervalMs: dayMs / perDay, burst: 10 });
    expect(newContacts).toEqual({ intervalMs: 180_000, burst: 5 });
  });

  it("is over after ten days", () => {
    expect(paceRates(deployment, own, on(10))).toEqual(paceRates(deployment));
    expect(paceRates(deployment, own, on(400))).toEqual(paceRates(deployment));
  });

  it("begins with the first day when the clock is behind the linking", () => {
    expect(paceRates(deployment, own, on(-3)).warmUp).toEqual({ day: 1, days: 10, perDay: 43 });
  });
});

it("grows to the tenant's own pace", () => {
  const { warmUp } = paceRates(deployment, { sendsPerMinute: 1, warmUp: { days: 2, from: 40 } }, on(1));
  expect(warmUp).toEqual({ day: 2, days: 2, perDay: 740 });
});

it("bounds an account without a pace, with a burst of no more than its day", () => {
  expect(paceRates(off, { warmUp: { days: 5, from: 3 } }, on(0))).toMatchObject({ sends: { intervalMs: dayMs / 3, burst: 3 } });
  expect(paceRates(off, { warmUp: { days: 5, from: 3 } }, on(5))).toEqual({ sends: undefined, newContacts: undefined });
});

it("never makes an account faster", () => {
  expect(paceRates(deployment, { sendsPerMinute: 1, warmUp: { days: 5, from: 2_000 } }, on(0)).warmUp).toBeUndefined();
});

it("needs an age", () => {
  expect(paceRates(deployment, { warmUp: { days: 5, from: 3 } })).toEqual(paceRates(deployment));
});
