import type { StoredAuditRow } from "../../../shared/cluster/audit/audit-row.js";

/** Most kinds of rows counted separately in one period. Later ones are summed up by tenant. */
const repeatedMax = 1_000;
export const otherKeys = "others";

/** Most targets of one key's failed changes that get rows of their own in one period. */
const targetsMax = 20;

/**
 * Sums up calls that a key may repeat in a loop: the first of a period is recorded at once, and the rest become one row at its end. A loop
 * then fills neither the audit nor the log.
 */
export class RepeatedCalls {
  private periods = new Map<string, StoredAuditRow>();
  private targets = new Map<string, Set<string>>();

  /** Returns true for the first row of its kind in this period. That row is not counted here. */
  isFirst(row: StoredAuditRow, call: { readonly isRead: boolean }): boolean {
    const summary = this.summaryOf(row, call);
    const hasRoom = this.periods.size < repeatedMax || this.periods.has(kindOf(summary));
    const counted = hasRoom ? summary : { ...summary, who: otherKeys, what: otherKeys, target: "", session: "" };
    const kind = kindOf(counted);
    const before = this.periods.get(kind);
    this.periods.set(kind, { ...counted, count: before === undefined ? 0 : before.count + 1 });
    return before === undefined && hasRoom;
  }

  /** Returns the sums since the last call, without the first row of each kind. */
  take(): StoredAuditRow[] {
    const { periods } = this;
    this.periods = new Map();
    this.targets = new Map();
    return [...periods.values()].filter(({ count }) => count > 0);
  }

  /** Returns the row that counts further calls. The row keeps the address and time of the last call, and the target of a failed change. */
  private summaryOf(row: StoredAuditRow, { isRead }: { readonly isRead: boolean }): StoredAuditRow {
    const keepsTarget = !isRead && this.hasOwnRow(row);
    return { ...row, target: keepsTarget ? row.target : "", session: keepsTarget ? row.session : sessionOf(row), requestId: "" };
  }

  private hasOwnRow({ who, tenant, target }: StoredAuditRow): boolean {
    const key = JSON.stringify([who, tenant]);
    const targets = this.targets.get(key) ?? new Set();
    if (targets.has(target)) return true;
    if (targets.size >= targetsMax) return false;
    this.targets.set(key, targets.add(target));
    return true;
  }
}

function kindOf(row: StoredAuditRow): string {
  const { who, what, target, tenant, incarnation = "", status, session } = row;
  return JSON.stringify([who, what, target, tenant, incarnation, status, session]);
}

/** Keeps the session only for callers with a session's secret. A key may read many sessions. */
function sessionOf({ who, session }: StoredAuditRow): string {
  return who === "session" ? session : "";
}
