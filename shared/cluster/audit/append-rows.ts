import type { RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import type { StoredAuditRow } from "./audit-row.js";

/** Most audit rows kept, of all processes together; Redis removes the oldest in steps of about a hundred. About 30 MB. */
export const auditRowsMax = 100_000;
/** The same for reads and failures, which are summed by the minute and must not displace the rows of changes. About 6 MB. */
export const auditReadsMax = 20_000;

/** Appends rows with one write. Rejects when any row was refused; a retry may then store a row twice. */
export function appendRows(redis: RedisClient, rows: readonly StoredAuditRow[]): Promise<void> {
  return append(redis, keys.audit, auditRowsMax, rows);
}

/** Like `appendRows`, for rows of calls that changed nothing. */
export function appendReads(redis: RedisClient, rows: readonly StoredAuditRow[]): Promise<void> {
  return append(redis, keys.auditReads, auditReadsMax, rows);
}

async function append(redis: RedisClient, key: string, most: number, rows: readonly StoredAuditRow[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(key, "MAXLEN", "~", most, "*", "r", JSON.stringify(row))));
}
