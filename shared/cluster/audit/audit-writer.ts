import type { Log } from "../../log/logger.js";
import { sessionTag } from "../../log/session-tag.js";
import { AppendQueue } from "../../redis/append-queue.js";
import type { StoredAuditRow } from "./audit-row.js";

export interface AuditWriterOptions {
  /** Appends rows to what is kept. */
  readonly append: (rows: readonly StoredAuditRow[]) => Promise<void>;
  readonly metrics: AuditMetrics;
  readonly log: Log;
  /** Pause before rows that Redis did not take are retried. */
  readonly againMs?: number;
}

export interface AuditMetrics {
  auditRows(outcome: "written" | "lost", rows: number): void;
}

/** Most rows that wait for Redis. Past it the newest row is lost, except for its log line. */
export const waitingMax = 1_000;

/** Writes rows to Redis in the background. Each row is a log line as well. */
export class AuditWriter {
  private readonly queue: AppendQueue<StoredAuditRow>;

  constructor(private readonly options: AuditWriterOptions) {
    const { metrics, log } = options;
    this.queue = new AppendQueue({
      ...options,
      waitingMax,
      onWritten: (rows) => metrics.auditRows("written", rows),
      onLost: (rows) => this.lose(rows),
      onTrouble: (error, rows) => log.warn({ err: error, rows }, "audit write failed, retrying"),
    });
  }

  add(row: StoredAuditRow): void {
    this.options.log.info(lineOf(row), "audit");
    this.queue.add(row);
  }

  /** Retries the waiting rows once more, then stops. */
  stop(): Promise<void> {
    return this.queue.stop();
  }

  private lose(rows: readonly StoredAuditRow[]): void {
    this.options.metrics.auditRows("lost", rows.length);
    for (const row of rows) this.options.log.warn(lineOf(row), "audit entry lost");
  }
}

/** Logs show a session by its tag, and not `target`, because a path may contain the session's id. */
function lineOf({ at: _at, session, target: _target, incarnation: _incarnation, ...row }: StoredAuditRow): Record<string, unknown> {
  return { ...row, ...(session === "" ? {} : { session: sessionTag(session) }) };
}
