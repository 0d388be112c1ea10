export interface BackoffTiming {
  /** Pauses are a random time of up to this, doubled with each failure, never above `backoffMaxMs`. Milliseconds. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
}

/** Counts failures in a row and says how long to wait after each; full jitter, so that a thousand accounts do not come back at once. */
export class Backoff {
  private failures = 0;

  constructor(private readonly timing: BackoffTiming) {}

  /** Milliseconds to wait. `first`: what failed had stood for a while, so it counts as the first failure. */
  afterFailure(first = false): number {
    this.failures = first ? 1 : this.failures + 1;
    return this.pauseMs(this.failures);
  }

  /** Milliseconds to wait after so many failures in a row, which are not counted here. */
  pauseMs(failures: number): number {
    const { backoffMinMs, backoffMaxMs } = this.timing;
    return Math.random() * Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures - 1, 30));
  }

  reset(): void {
    this.failures = 0;
  }
}
