import { every } from "../../../shared/flow/every.js";
import { isSessionId } from "../../../shared/contract/ids.js";
import type { AuditedRequest, AuditPort } from "../../http/audit-port.js";
import { failedAuthentication, type AuditRow, type StoredAuditRow } from "../../../shared/cluster/audit/audit-row.js";
import type { AuditWriter } from "../../../shared/cluster/audit/audit-writer.js";
import { auditedAction } from "./audited-action.js";
import { FailedAttempts } from "./failed-attempts.js";
import { failedTarget } from "./failed-target.js";
import { RepeatedCalls } from "./repeated-calls.js";

export interface AuditOptions {
  /** Writes changes. */
  readonly writer: Pick<AuditWriter, "add" | "stop">;
  /** Writes reads and failures, which must not push out changes. */
  readonly reads: Pick<AuditWriter, "add" | "stop">;
  /** Interval at which failed attempts and repeated calls become rows. */
  readonly periodMs?: number;
}

const periodDefaultMs = 60_000;

/**
 * Writes audit rows: one per change, the first of repeated reads or failed changes and one summary per minute, and one row per address and
 * minute for failed attempts.
 */
export class Audit implements AuditPort {
  private readonly failed = new FailedAttempts();
  private readonly repeated = new RepeatedCalls();
  private timer: NodeJS.Timeout | undefined;
  readonly actionOf = auditedAction;

  constructor(private readonly options: AuditOptions) {}

  start(): void {
    this.timer = every(this.options.periodMs ?? periodDefaultMs, () => this.addSums());
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.addSums();
    await Promise.all([this.options.writer.stop(), this.options.reads.stop()]);
  }

  record(request: AuditedRequest): void {
    const { action, head, address, identity, status } = request;
    const row: StoredAuditRow = {
      at: new Date().toISOString(),
      who: identity.who,
      what: action,
      target: targetOf(request),
      tenant: identity.tenant,
      incarnation: identity.incarnation === "" ? undefined : identity.incarnation,
      session: sessionOf(request),
      from: address,
      requestId: head.requestId,
      status,
      count: 1,
    };
    if (changes(request)) this.options.writer.add(row);
    else if (this.repeated.isFirst(row, { isRead: isRead(request) })) this.writerOf(row).add(row);
  }

  refused(address: string): void {
    this.failed.add(address);
  }

  private addSums(): void {
    const at = new Date().toISOString();
    for (const [from, count] of this.failed.take()) this.options.reads.add({ ...noRequest, at, from, count });
    for (const row of this.repeated.take()) this.writerOf(row).add(row);
  }

  /** A call without a certain outcome may have changed something, so it is kept with the changes. */
  private writerOf({ status }: AuditRow): Pick<AuditWriter, "add"> {
    return status === 0 || status >= 500 ? this.options.writer : this.options.reads;
  }
}

/** Returns true if the request succeeded and was not a read. */
function changes(request: AuditedRequest): boolean {
  return !isRead(request) && request.status >= 200 && request.status < 400;
}

function isRead({ head }: AuditedRequest): boolean {
  return head.method === "GET" || head.method === "HEAD";
}

const noRequest: Omit<AuditRow, "at" | "from" | "count"> = {
  who: "unknown",
  what: failedAuthentication,
  target: "",
  tenant: "",
  session: "",
  requestId: "",
  status: 401,
};

const targetMaxLength = 200;

/** Returns the target of a call. A failed call's target is kept only if it has the form of one of our names. */
function targetOf({ head, identity, status }: AuditedRequest): string {
  const found = identity.made ?? /\/admin\/(.*)$/.exec(head.path)?.[1] ?? "";
  return status >= 200 && status < 400 ? found.slice(0, targetMaxLength) : failedTarget(found);
}

function sessionOf({ identity, head }: AuditedRequest): string {
  const named = identity.session ?? /\/admin\/sessions\/([^/]+)/.exec(head.path)?.[1] ?? "";
  return isSessionId(named) ? named : "";
}
