/** How slow a client may read while data waits for it: `bytesPerSecond` on average over `windowMs`. */
export interface SlowReaderLimit {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * Measures how fast a client takes what waits for it. Time in which nothing waits does not count.
 *
 * The engine drops a connection on which it could write nothing for 10 s. It hears of room only when a third of the kernel's buffer is free again. Of 4 MiB
 * that takes longer than 10 s at 50 KB/s: such a client would lose its download. So the rest is also offered from time to time (`slow-readers.ts`), which
 * uses what room there is and restarts the engine's clock. The 10 s without progress are judged here.
 */
export class Pace {
  private progressAt = 0;
  private lastOffset = 0;
  private waitedMs = 0;
  private lastAt = 0;
  /** Where the body stood when the window opened. */
  private windowOffset = 0;

  constructor(private readonly limit: SlowReaderLimit) {}

  begin(): void {
    this.lastAt = performance.now();
    this.progressAt = this.lastAt;
  }

  /** True when a window of waiting is over in which too little was taken, or nothing was for 10 s. `offset`: where the body stands. */
  tooSlow(offset: number): boolean {
    const now = performance.now();
    this.waitedMs += now - this.lastAt;
    this.lastAt = now;
    if (offset > this.lastOffset) this.progressAt = now;
    this.lastOffset = offset;
    if (now - this.progressAt >= noProgressMs) return true;
    if (this.waitedMs < this.limit.windowMs) return false;
    const tooSlow = offset - this.windowOffset < (this.limit.bytesPerSecond * this.waitedMs) / 1000;
    this.waitedMs = 0;
    this.windowOffset = offset;
    return tooSlow;
  }
}

/** As long as the engine itself would wait. */
const noProgressMs = 10_000;
