/** Delays between restarts of a failing process: 0.2 s, doubling up to 30 s. A healthy minute resets the delay. */
export class Backoff {
  private attempt = 0;

  /** Returns the milliseconds to wait before the next start. `wellMs` is how long the last run was healthy, 0 if it never was. */
  next(wellMs: number): number {
    if (wellMs >= 60_000) this.attempt = 0;
    const delay = Math.min(200 * 2 ** this.attempt, 30_000);
    this.attempt += 1;
    return delay;
  }
}
