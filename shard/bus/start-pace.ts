/** Most commands that begin in one turn of the event loop. */
export const startsMax = 64;
/** A longer turn delays every command, because each needs several turns. */
const longTurnMs = 4;
const shortTurnMs = 2;

/** Returns how many commands may begin in the next turn, given that the last turn took `turnMs`. */
export function nextAtOnce(atOnce: number, turnMs: number): number {
  if (turnMs > longTurnMs) return Math.max(1, Math.floor(atOnce / 2));
  return turnMs < shortTurnMs ? Math.min(startsMax, atOnce + 1) : atOnce;
}

/** Share of the event loop's time that queued commands may use. The rest is left for new commands. */
const busyShare = 0.75;
/** Longest period, rest included: queued commands go on after it, however busy the loop is. */
const periodMaxMs = 100;
/** A timer cannot wait for less. */
const shortestRestMs = 0.5;

/** Most commands that may begin during such a rest, one for each tenant. */
export const aheadMax = 8;

/** Returns how many milliseconds the loop rests before it serves the line again, after `busyMs` of work in `sinceMs`; 0 for no rest. */
export function restMs(busyMs: number, sinceMs: number): number {
  const rest = Math.min(busyMs / busyShare, periodMaxMs) - sinceMs;
  return rest > shortestRestMs ? rest : 0;
}
