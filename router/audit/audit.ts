import { every } from "../../shared/flow/every.js";
import { isSessionId } from "../../shared/contract/ids.js";
import type { AuditedRequest, AuditPort } from "../http/audit-port.js";
import { failedAuthentication, type AuditRow } from "../../shared/audit/audit-row.js";
import type { AuditWriter } from "../../shared/audit/audit-writer.js";
import { auditedAction } from "./audited-action.js";
import { FailedAttempts } from "./failed-attempts.js";

export interface AuditOptions {
  readonly writer: Pick<AuditWriter, "add" | "stop">;
  /** How often failed attempts become rows. */
  readonly periodMs?: number;
}

const periodDefaultMs = 60_000;

/** Who did what: a row for each request that is on record, and for failed attempts one by address and minute. */
export class Audit implements AuditPort {
  private readonly failed = new FailedAttempts();
  private timer: NodeJS.Timeout | undefined;
  readonly actionOf = auditedAction;

  constructor(private readonly options: AuditOptions) {}

  start(): void {
    this.timer = every(this.options.periodMs ?? periodDefaultMs, () => this.tellFailed());
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.tellFailed();
    await this.options.writer.stop();
  }

  record(request: AuditedRequest): void {
    const { action, head, address, identity, status } = request;
    this.options.writer.add({
      at: new Date().toISOString(),
      who: identity.who,
      what: action,
      target: targetOf(request),
      tenant: identity.tenant,
      session: sessionOf(request),
      from: address,
      requestId: head.requestId,
      status,
      count: 1,
    });
  }

  refused(address: string): void {
    this.failed.add(address);
  }

  private tellFailed(): void {
    const at = new Date().toISOString();
    for (const [from, count] of this.failed.take()) this.options.writer.add({ ...noRequest, at, from, count });
  }
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

/** Of a call that succeeded: what it named is there, and so is one of our names. */
function targetOf({ head, identity, status }: AuditedRequest): string {
  const found = identity.made ?? /\/admin\/(.*)$/.exec(head.path)?.[1] ?? "";
  return status >= 200 && status < 400 ? found.slice(0, targetMaxLength) : "";
}

function sessionOf({ identity, head }: AuditedRequest): string {
  const named = identity.session ?? /\/admin\/sessions\/([^/]+)/.exec(head.path)?.[1] ?? "";
  return isSessionId(named) ? named : "";
}
