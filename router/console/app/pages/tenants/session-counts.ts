import type { SessionRow } from "../../api/rows.js";

/** Most sessions that the browser counts. */
export const countedMax = 50_000;

export interface SessionCounts {
  /** Number of sessions by tenant; absent for a tenant without sessions. */
  readonly byTenant: ReadonlyMap<string, number>;
  /** There were more than `countedMax` sessions, so the numbers are too low. */
  readonly cut: boolean;
}

/** Counts the sessions of each tenant and stops after `most`. */
export async function countSessions(rows: AsyncIterable<Pick<SessionRow, "tenant">>, most = countedMax): Promise<SessionCounts> {
  const byTenant = new Map<string, number>();
  let counted = 0;
  for await (const { tenant } of rows) {
    if (counted === most) return { byTenant, cut: true };
    counted += 1;
    byTenant.set(tenant, (byTenant.get(tenant) ?? 0) + 1);
  }
  return { byTenant, cut: false };
}
