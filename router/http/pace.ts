/** How slow a client may read while data waits for it: `bytesPerSecond` on average over `windowMs`. */
export interface SlowReaderLimit {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** Measures how fast a client takes what waits for it. Time in which nothing waits does not count. */
export class Pace {
  readonly checkMs: number;
  private waitedMs = 0;
  private lastAt = 0;
  /** Where the body stood when the window opened. */
  private windowOffset = 0;

  constructor(private readonly limit: SlowReaderLimit) {
    this.checkMs = Math.max(10, limit.windowMs / 12);
  }

  begin(): void {
    this.lastAt = performance.now();
  }

  /** True when a window of waiting is over in which too little was taken. */
  tooSlow(offset: number): boolean {
    const now = performance.now();
    this.waitedMs += now - this.lastAt;
    this.lastAt = now;
    if (this.waitedMs < this.limit.windowMs) return false;
    const tooSlow = offset - this.windowOffset < (this.limit.bytesPerSecond * this.waitedMs) / 1000;
    this.waitedMs = 0;
    this.windowOffset = offset;
    return tooSlow;
  }
}
