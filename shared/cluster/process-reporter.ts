import { every } from "../flow/every.js";
import type { Log } from "../log/logger.js";
import type { RedisClient } from "../redis/connect.js";
import { writeReport, withdrawReport, type ProcessReport } from "./process-report.js";

/** About 250 bytes of each process. */
const everyMs = 5_000;

export interface ProcessReporterOptions {
  readonly redis: RedisClient;
  /** Called for each report. */
  readonly report: () => ProcessReport;
  readonly log: Log;
}

/** Reports the state of this process to operators every 5 s. A failed report is not retried, because the next one replaces it. */
export class ProcessReporter {
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> | undefined;
  /** A report was requested while another one was in flight. */
  private again = false;
  private ended = false;

  constructor(private readonly options: ProcessReporterOptions) {}

  start(): void {
    this.timer = every(everyMs, () => this.reportNow());
    this.reportNow();
  }

  async stop(): Promise<void> {
    this.ended = true;
    clearInterval(this.timer);
    await this.reporting;
    // Without Redis the report expires by itself.
    await withdrawReport(this.options.redis, this.options.report()).catch(() => undefined);
  }

  /** Reports at once, because something has changed that operators watch. */
  reportNow(): void {
    if (this.ended) return;
    if (this.reporting !== undefined) {
      this.again = true;
      return;
    }
    const { redis, report, log } = this.options;
    this.again = false;
    this.reporting = Promise.resolve()
      .then(() => writeReport(redis, report()))
      .catch((error: unknown) => log.debug({ err: error }, "process report not published"))
      .finally(() => {
        this.reporting = undefined;
        if (this.again) this.reportNow();
      });
  }
}
