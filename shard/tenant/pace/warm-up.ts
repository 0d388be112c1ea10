import { paceMost, type WarmUp } from "../../../shared/tenant/tenant-pace.js";
import type { Rate } from "./rate.js";

/** One day of a warm-up. */
export interface WarmUpDay {
  /** 1 on the first day after linking. */
  readonly day: number;
  readonly days: number;
  /** Messages on this day. */
  readonly perDay: number;
}

/** The age of an account in its session. */
export interface AccountAge {
  readonly linkedAt: Date;
  /** Unix milliseconds. */
  readonly now: number;
}

const dayMs = 86_400_000;

/**
 * Returns the current day of a warm-up; `undefined` once it is over, or if `from` is more than the full pace. The share grows evenly from
 * `from` on the first day to the full pace on day `days` + 1. Without a full pace it grows towards the fastest one that can be set.
 */
export function warmUpDay({ days, from }: WarmUp, full: Rate | undefined, { linkedAt, now }: AccountAge): WarmUpDay | undefined {
  const passed = Math.floor(Math.max(0, now - linkedAt.getTime()) / dayMs);
  const fullPerDay = full === undefined ? paceMost.sendsPerMinute * 1_440 : dayMs / full.intervalMs;
  if (passed >= days || from >= fullPerDay) return undefined;
  return { day: passed + 1, days, perDay: Math.floor(from + ((fullPerDay - from) * passed) / days) };
}

/** Returns the rate of a day: an even pace, with no larger burst than the full pace allows and the day has messages. */
export function warmUpRate({ perDay }: WarmUpDay, full: Rate): Rate {
  return { intervalMs: dayMs / perDay, burst: Math.min(full.burst, perDay) };
}
