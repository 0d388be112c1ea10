/** Pace at which a shard connects acquired sessions (`ConnectLimiter`), and the duration of one connect. */
export interface ConnectPace {
  readonly inProgress: number;
  readonly perSecond: number;
  readonly connectMs: number;
}

/** Returns when each session of a shard is connected, in virtual ms. `readyAt` lists from when each may connect, ascending. */
export function connectedAt(readyAt: readonly number[], { inProgress, perSecond, connectMs }: ConnectPace): number[] {
  const gapMs = 1_000 / perSecond;
  const done: number[] = [];
  let nextAt = -Infinity;
  for (const ready of readyAt) {
    // All connects take equally long, so the one that began `inProgress` places earlier makes room first.
    const startAt = Math.max(ready, nextAt, done[done.length - inProgress] ?? -Infinity);
    done.push(startAt + connectMs);
    nextAt = startAt + gapMs;
  }
  return done;
}
