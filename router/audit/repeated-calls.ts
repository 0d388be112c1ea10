import type { StoredAuditRow } from "../../shared/audit/audit-row.js";

/** Rows that are told apart within one period; those that come later are summed up by tenant alone. */
const repeatedMax = 1_000;
export const otherKeys = "others";

/**
 * Sums up rows of calls that a key may repeat in a loop: the first of a period goes on record at once, and those that follow are one row at its end. So a loop fills
 * neither the record nor the log.
 */
export class RepeatedCalls {
  private periods = new Map<string, StoredAuditRow>();

  /** True for the first row of its kind in this period, which is not counted here. */
  isFirst(row: StoredAuditRow): boolean {
    const known = this.periods.size < repeatedMax || this.periods.has(kindOf(row)) ? row : { ...row, who: otherKeys, what: otherKeys };
    const before = this.periods.get(kindOf(known));
    // The row has the address and time of the last request, and names none of the requests.
    const count = before === undefined ? 0 : before.count + 1;
    this.periods.set(kindOf(known), { ...known, target: "", session: sessionOf(known), requestId: "", count });
    return before === undefined && known === row;
  }

  /** What has come since the last time, beyond the first of each kind. */
  take(): StoredAuditRow[] {
    const { periods } = this;
    this.periods = new Map();
    return [...periods.values()].filter(({ count }) => count > 0);
  }
}

function kindOf(row: StoredAuditRow): string {
  const { who, what, tenant, incarnation = "", status } = row;
  return JSON.stringify([who, what, tenant, incarnation, status, sessionOf(row)]);
}

/** A session's own secret is one caller for each session; a key reads many. */
function sessionOf({ who, session }: StoredAuditRow): string {
  return who === "session" ? session : "";
}
