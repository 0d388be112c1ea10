import { pause } from "../flow/pause.js";
import type { Log } from "../log/logger.js";
import { sessionTag } from "../log/session-tag.js";
import type { AuditRow } from "./audit-row.js";

export interface AuditWriterOptions {
  /** Appends rows to what is kept. */
  readonly append: (rows: readonly AuditRow[]) => Promise<void>;
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
const batchMax = 200;
const againDefaultMs = 1_000;

/** Brings rows to Redis without anybody waiting for it: what comes while a batch is under way goes with the next. Each row is a line in the log as well. */
export class AuditWriter {
  private waiting: AuditRow[] = [];
  private running: Promise<void> | undefined;
  private readonly ended = new AbortController();

  constructor(private readonly options: AuditWriterOptions) {}

  add(row: AuditRow): void {
    this.options.log.info(lineOf(row), "audit");
    if (this.waiting.length >= waitingMax || this.ended.signal.aborted) return this.lose([row]);
    this.waiting.push(row);
    this.running ??= this.work();
  }

  /** What waits is tried once more. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
    this.lose(this.waiting.splice(0));
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, batchMax);
      try {
        await this.options.append(batch);
        this.waiting.splice(0, batch.length);
        this.options.metrics.auditRows("written", batch.length);
      } catch (error) {
        if (this.ended.signal.aborted) break;
        this.options.log.warn({ err: error, rows: this.waiting.length }, "audit could not be written yet");
        await pause(this.options.againMs ?? againDefaultMs, this.ended.signal);
      }
    }
    this.running = undefined;
  }

  private lose(rows: readonly AuditRow[]): void {
    if (rows.length === 0) return;
    this.options.metrics.auditRows("lost", rows.length);
    for (const row of rows) this.options.log.warn(lineOf(row), "audit row was not kept");
  }
}

/** A session is a tag in logs, and so is no part of a path. */
function lineOf({ at: _at, session, target: _target, ...row }: AuditRow): Record<string, unknown> {
  return { ...row, ...(session === "" ? {} : { session: sessionTag(session) }) };
}
