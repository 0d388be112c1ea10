/** Allows one event each `intervalMs`, and after a rest `burst` at once. */
export interface Rate {
  readonly intervalMs: number;
  readonly burst: number;
}

/**
 * Returns the milliseconds that the next event waits when `ahead` others go before it. `usedUntil` is the instant by which all past events
 * would have happened at an even pace.
 */
export function waitMs({ intervalMs, burst }: Rate, usedUntil: number, now: number, ahead = 0): number {
  return Math.max(0, Math.max(usedUntil, now) + (ahead + 1 - burst) * intervalMs - now);
}

/** Returns `usedUntil` after one more event. */
export function used({ intervalMs }: Rate, usedUntil: number, now: number): number {
  return Math.max(usedUntil, now) + intervalMs;
}

/** Returns how many events of the burst are used. */
export function usedEvents({ intervalMs, burst }: Rate, usedUntil: number, now: number): number {
  return Math.min(burst, Math.ceil(Math.max(0, usedUntil - now) / intervalMs));
}

/** Limits `usedUntil` to one burst, in case the clock jumped or the rate changed. */
export function atMostBurst({ intervalMs, burst }: Rate, usedUntil: number, now: number): number {
  return Math.min(usedUntil, now + burst * intervalMs);
}

/**
 * Converts `usedUntil` to another rate: each event used counts as one of the new rate, one burst at most. Without a former or a new rate
 * the number of used events is unknown.
 */
export function exchanged(before: Rate | undefined, after: Rate | undefined, usedUntil: number, now: number): number {
  if (after === undefined || isSameRate(before, after)) return usedUntil;
  if (before === undefined || usedUntil <= now) return atMostBurst(after, usedUntil, now);
  return atMostBurst(after, now + ((usedUntil - now) / before.intervalMs) * after.intervalMs, now);
}

function isSameRate(one: Rate | undefined, other: Rate): boolean {
  return one?.intervalMs === other.intervalMs && one.burst === other.burst;
}
