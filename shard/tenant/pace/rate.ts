/** How often something may happen: once each `intervalMs`, and after a rest `burst` times at once. */
export interface Rate {
  readonly intervalMs: number;
  readonly burst: number;
}

/**
 * All that is known of a rate's use is one instant (`usedUntil`): by then what was done would have been done, had it been done evenly. How long the next one waits, when `ahead` others
 * go before it.
 */
export function waitMs({ intervalMs, burst }: Rate, usedUntil: number, now: number, ahead = 0): number {
  return Math.max(0, Math.max(usedUntil, now) + (ahead + 1 - burst) * intervalMs - now);
}

/** After one more. */
export function used({ intervalMs }: Rate, usedUntil: number, now: number): number {
  return Math.max(usedUntil, now) + intervalMs;
}

/** As it may have become: a clock that jumped, or a rate that is another now, costs no more than a burst does. */
export function atMostBurst({ intervalMs, burst }: Rate, usedUntil: number, now: number): number {
  return Math.min(usedUntil, now + burst * intervalMs);
}

/** As it is by another rate: what was used of the one counts for as many of the other, and for a burst at most. Where there was none, or is none now, nothing is known of how many they were. */
export function exchanged(before: Rate | undefined, after: Rate | undefined, usedUntil: number, now: number): number {
  if (after === undefined || isSameRate(before, after)) return usedUntil;
  if (before === undefined || usedUntil <= now) return atMostBurst(after, usedUntil, now);
  return atMostBurst(after, now + ((usedUntil - now) / before.intervalMs) * after.intervalMs, now);
}

function isSameRate(one: Rate | undefined, other: Rate): boolean {
  return one?.intervalMs === other.intervalMs && one.burst === other.burst;
}
