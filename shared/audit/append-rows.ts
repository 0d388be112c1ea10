import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import type { StoredAuditRow } from "./audit-row.js";

/** Rows that are kept, of all processes together; Redis removes the oldest beyond them a hundred or so at a time. About 30 MB. */
export const auditRowsMax = 100_000;

/** In one write. Rejects when any row was refused; a row may stand twice after such trouble. */
export async function appendRows(redis: RedisClient, rows: readonly StoredAuditRow[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(keys.audit, "MAXLEN", "~", auditRowsMax, "*", "r", JSON.stringify(row))));
}
