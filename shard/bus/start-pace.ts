/** Commands that begin in one turn of the event loop at most. */
export const startsMax = 64;
/** A turn that takes longer makes everybody wait: a command needs several of them. */
const longTurnMs = 4;
const shortTurnMs = 2;

/** How many commands may begin in the next turn of the event loop, after one that took so long. */
export function nextAtOnce(atOnce: number, turnMs: number): number {
  if (turnMs > longTurnMs) return Math.max(1, Math.floor(atOnce / 2));
  return turnMs < shortTurnMs ? Math.min(startsMax, atOnce + 1) : atOnce;
}

/** Of its time the event loop works at most so much for those who wait; the rest is for those who come meanwhile. */
const busyShare = 0.75;
/** However much else there is to do: those who wait get on. */
const periodMaxMs = 100;
/** Timers have no smaller step. */
const shortestRestMs = 0.5;

/** Commands of tenants that may begin within such a rest, one of each. */
export const aheadMax = 8;

/** How long the loop is to rest before the line is served again, when it has worked so many of the milliseconds since then; 0: not any longer. */
export function restMs(busyMs: number, sinceMs: number): number {
  const rest = Math.min(busyMs / busyShare, periodMaxMs) - sinceMs;
  return rest > shortestRestMs ? rest : 0;
}
