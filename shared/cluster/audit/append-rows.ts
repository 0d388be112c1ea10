import type { RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import type { StoredAuditRow } from "./audit-row.js";

/** Rows that are kept, of all processes together; Redis removes the oldest beyond them a hundred or so at a time. About 30 MB. */
export const auditRowsMax = 100_000;
/** The same of reads and failures, which are summed up by the minute and must not push out what was changed. About 6 MB. */
export const auditReadsMax = 20_000;

/** In one write. Rejects when any row was refused; a row may stand twice after such trouble. */
export function appendRows(redis: RedisClient, rows: readonly StoredAuditRow[]): Promise<void> {
  return append(redis, keys.audit, auditRowsMax, rows);
}

/** As `appendRows`, for rows of what changed nothing. */
export function appendReads(redis: RedisClient, rows: readonly StoredAuditRow[]): Promise<void> {
  return append(redis, keys.auditReads, auditReadsMax, rows);
}

async function append(redis: RedisClient, key: string, most: number, rows: readonly StoredAuditRow[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(key, "MAXLEN", "~", most, "*", "r", JSON.stringify(row))));
}
