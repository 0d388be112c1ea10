import { every } from "../../../shared/flow/every.js";

/** At least `bytes` in each window of `windowMs`. */
export interface PaceOptions {
  readonly bytes: number;
  readonly windowMs: number;
}

/** Watches a transfer and calls `onSlow` once when a window brought too few bytes: a slow peer must not hold a place. */
export class Pace {
  private received = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(options: PaceOptions, onSlow: () => void) {
    this.timer = every(options.windowMs, () => {
      if (this.received < options.bytes) {
        this.stop();
        onSlow();
      }
      this.received = 0;
    });
  }

  add(bytes: number): void {
    this.received += bytes;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
