import type { Log } from "../../log/logger.js";
import { sessionTag } from "../../log/session-tag.js";
import { AppendQueue } from "../../redis/append-queue.js";
import type { StoredAuditRow } from "./audit-row.js";

export interface AuditWriterOptions {
  /** Appends rows to what is kept. */
  readonly append: (rows: readonly StoredAuditRow[]) => Promise<void>;
  readonly metrics: AuditMetrics;
  readonly log: Log;
  /** Until rows are tried again that Redis did not take. */
  readonly againMs?: number;
}

export interface AuditMetrics {
  auditRows(outcome: "written" | "lost", rows: number): void;
}

/** Rows that wait for Redis; past it the newest is lost, but for its line in the log. */
export const waitingMax = 1_000;

/** Brings rows to Redis without anybody waiting for it. Each row is a line in the log as well. */
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

  /** What waits is tried once more. */
  stop(): Promise<void> {
    return this.queue.stop();
  }

  private lose(rows: readonly StoredAuditRow[]): void {
    this.options.metrics.auditRows("lost", rows.length);
    for (const row of rows) this.options.log.warn(lineOf(row), "audit entry lost");
  }
}

/** A session is a tag in logs, and so is no part of a path. */
function lineOf({ at: _at, session, target: _target, incarnation: _incarnation, ...row }: StoredAuditRow): Record<string, unknown> {
  return { ...row, ...(session === "" ? {} : { session: sessionTag(session) }) };
}
