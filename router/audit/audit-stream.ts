import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import typia from "typia";
import type { AuditRow, StoredAuditRow } from "../../shared/audit/audit-row.js";
import { isSameTenant, isTenantName, type TenantLife } from "../../shared/contract/tenant.js";

/** Rows that one page looks at. */
export const scannedMax = 10_000;
const readAtOnce = 1_000;

export interface AuditFilter {
  /** Milliseconds since 1970; 0 for all that is kept. */
  readonly since: number;
  /** Empty for all. */
  readonly tenant: string;
  /** Empty for all. */
  readonly session: string;
  /** Only rows of this tenant, and not of a deleted one of its name. */
  readonly owner?: TenantLife;
  readonly limit: number;
  /** The `next` of the page before, or empty. */
  readonly after: string;
}

export interface AuditPage {
  readonly docs: readonly AuditRow[];
  /** Empty at the end. A page may be short, or empty, and yet have one: then no more rows were looked at. */
  readonly next: string;
}

/** The oldest first. */
export async function readRows(redis: RedisClient, { since, tenant, session, owner, limit, after }: AuditFilter): Promise<AuditPage> {
  const docs: AuditRow[] = [];
  let from = after === "" ? String(since) : `(${after}`;
  for (let scanned = 0; scanned < scannedMax; ) {
    const entries = await redis.xrange(keys.audit, from, "+", "COUNT", readAtOnce);
    for (const [id, fields] of entries) {
      const row = parse(fields[1] ?? "");
      if (row !== null && [row.tenant, ""].includes(tenant) && [row.session, ""].includes(session) && isOwned(row, owner))
        docs.push(shown(row));
      if (docs.length === limit) return { docs, next: id };
      from = `(${id}`;
    }
    if (entries.length < readAtOnce) return { docs, next: "" };
    scanned += entries.length;
  }
  return { docs, next: from.slice(1) };
}

function isOwned({ tenant, incarnation, at }: StoredAuditRow, owner: TenantLife | undefined): boolean {
  return owner === undefined || (isTenantName(tenant) && isSameTenant(owner, { tenant, incarnation, madeAt: at }));
}

function shown({ incarnation: _, ...row }: StoredAuditRow): AuditRow {
  return row;
}

const parseRow = typia.json.createIsParse<StoredAuditRow>();

/** A row of another version may have another form; it is passed over. */
function parse(text: string): StoredAuditRow | null {
  try {
    return parseRow(text);
  } catch {
    return null;
  }
}
