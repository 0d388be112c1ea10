/** Commands that begin in one turn of the event loop at most. */
export const startsMax = 64;
/** A turn that takes longer makes everybody wait: a command needs several of them. */
const longTurnMs = 4;
const shortTurnMs = 2;

/** How many commands may begin in the next turn of the event loop, after one that took so long. */
export function paced(atOnce: number, turnMs: number): number {
  if (turnMs > longTurnMs) return Math.max(1, Math.floor(atOnce / 2));
  return turnMs < shortTurnMs ? Math.min(startsMax, atOnce + 1) : atOnce;
}
