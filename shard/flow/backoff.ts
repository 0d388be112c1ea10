export interface BackoffTiming {
  /** Longest first pause, in milliseconds. Pauses are random up to a bound that doubles with each failure, at most `backoffMaxMs`. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
}

/** Counts consecutive failures and returns the wait after each, with full jitter so that a thousand accounts do not come back at once. */
export class Backoff {
  private failures = 0;

  constructor(private readonly timing: BackoffTiming) {}

  /** Returns the milliseconds to wait. `first`: what failed had lasted for a while, so it counts as the first failure. */
  afterFailure(first = false): number {
    this.failures = first ? 1 : this.failures + 1;
    return this.pauseMs(this.failures);
  }

  /** Returns the milliseconds to wait after this number of consecutive failures, without counting them. */
  pauseMs(failures: number): number {
    const { backoffMinMs, backoffMaxMs } = this.timing;
    return Math.random() * Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures - 1, 30));
  }

  reset(): void {
    this.failures = 0;
  }
}
