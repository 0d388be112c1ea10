/** Slowest allowed reading while data waits: `bytesPerSecond` on average over `windowMs`. */
export interface SlowReaderLimit {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * Measures how fast a client takes waiting data; idle time does not count. The engine would drop slow but living clients after 10 s, so
 * `slow-readers.ts` also offers data from time to time, and this class judges progress.
 */
export class Pace {
  private progressAt = 0;
  private lastOffset = 0;
  private waitedMs = 0;
  private lastAt = 0;
  /** Body offset at the start of the window. */
  private windowOffset = 0;

  constructor(private readonly limit: SlowReaderLimit) {}

  begin(): void {
    this.lastAt = performance.now();
    this.progressAt = this.lastAt;
  }

  /** Returns true if too little was taken in a full window, or nothing for 10 s. `offset`: current offset in the body. */
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

/** The same limit as the engine's own. */
const noProgressMs = 10_000;
