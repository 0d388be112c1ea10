/** Waits between starts of something that keeps ending: 0.2 s doubling to 10 s, from the beginning again after a life of 30 s. */
export class Backoff {
  private attempt = 0;

  /** Milliseconds to wait before the next start, given how long the last one lived. */
  next(livedMs: number): number {
    if (livedMs >= 30_000) this.attempt = 0;
    const delay = Math.min(200 * 2 ** this.attempt, 10_000);
    this.attempt += 1;
    return delay;
  }
}
