/** How a shard connects the sessions that it has taken (`ConnectLimiter`), and how long one takes. */
export interface ConnectPace {
  readonly inProgress: number;
  readonly perSecond: number;
  readonly connectMs: number;
}

/** Of one shard: when each of its sessions is connected, in virtual ms. `readyAt`: from when on each may connect, in ascending order. */
export function connectedAt(readyAt: readonly number[], { inProgress, perSecond, connectMs }: ConnectPace): number[] {
  const gapMs = 1_000 / perSecond;
  const done: number[] = [];
  let nextAt = -Infinity;
  for (const ready of readyAt) {
    // All take equally long, so the one that began `inProgress` before is the first to make room.
    const startAt = Math.max(ready, nextAt, done[done.length - inProgress] ?? -Infinity);
    done.push(startAt + connectMs);
    nextAt = startAt + gapMs;
  }
  return done;
}
