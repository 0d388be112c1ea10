/** The part of a log that the budget uses. */
interface WarningLog {
  warn(fields: object, message: string): void;
}

const windowMs = 1_000;
let skippedLines = 0;

/** Returns how many lines all budgets of this process have skipped. */
export function linesSkipped(): number {
  return skippedLines;
}

/**
 * Limits a frequent log line to a number per second, so that a wave of failures cannot fill the disk. Logs the number of skipped lines once
 * a second; that summary counts as a line of the next second.
 */
export class LineBudget {
  private timer: NodeJS.Timeout | undefined;
  private taken = 0;
  private skipped = 0;

  /** `what` names the lines in the summary, such as `failed requests`. */
  constructor(
    private readonly log: WarningLog,
    private readonly what: string,
    private readonly perSecond = 10,
  ) {}

  /** Returns whether the caller may log its line now. */
  take(): boolean {
    this.timer ??= this.window();
    if (this.taken < this.perSecond) {
      this.taken += 1;
      return true;
    }
    this.skipped += 1;
    skippedLines += 1;
    return false;
  }

  private window(): NodeJS.Timeout {
    return setTimeout(() => this.renew(), windowMs).unref();
  }

  private renew(): void {
    const count = this.skipped;
    const isLimited = count > 0;
    this.timer = isLimited ? this.window() : undefined;
    this.taken = isLimited ? 1 : 0;
    this.skipped = 0;
    if (isLimited) this.log.warn({ what: this.what, count }, "log lines skipped");
  }
}
