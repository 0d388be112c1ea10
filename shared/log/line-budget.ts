import type { Log } from "./logger.js";

const windowMs = 1_000;
let skippedLines = 0;

/** Returns how many lines all budgets of this process have skipped. */
export function linesSkipped(): number {
  return skippedLines;
}

/**
 * Limits a frequent log line to a number per second, so that a wave of failures cannot fill the disk. Logs the number of skipped lines once
 * a second.
 */
export class LineBudget {
  private timer: NodeJS.Timeout | undefined;
  private taken = 0;
  private skipped = 0;

  /** `what` names the lines in the summary, such as `failed requests`. */
  constructor(
    private readonly log: Log,
    private readonly what: string,
    private readonly perSecond = 10,
  ) {}

  /** Returns whether the caller may log its line now. */
  take(): boolean {
    this.timer ??= setTimeout(() => this.renew(), windowMs).unref();
    if (this.taken < this.perSecond) {
      this.taken += 1;
      return true;
    }
    this.skipped += 1;
    skippedLines += 1;
    return false;
  }

  private renew(): void {
    const count = this.skipped;
    [this.timer, this.taken, this.skipped] = [undefined, 0, 0];
    if (count > 0) this.log.warn({ what: this.what, count }, "log lines skipped");
  }
}
