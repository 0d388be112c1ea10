/** Waits between starts of something that keeps ending: 0.2 s doubling to 30 s, from the beginning again after it was well for a minute. */
export class Backoff {
  private attempt = 0;

  /** Milliseconds to wait before the next start, given for how long the last one was well: 0 for one that never got so far. */
  next(wellMs: number): number {
    if (wellMs >= 60_000) this.attempt = 0;
    const delay = Math.min(200 * 2 ** this.attempt, 30_000);
    this.attempt += 1;
    return delay;
  }
}
