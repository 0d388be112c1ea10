import { isBefore } from "../news/stored-news.js";
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

/** The oldest first, changes and reads together. */
export async function readRows(redis: RedisClient, { since, tenant, session, owner, limit, after }: AuditFilter): Promise<AuditPage> {
  const docs: AuditRow[] = [];
  const positions = positionsOf(after);
  const streams = [keys.audit, keys.auditReads].map((key, index) => new StreamRows(redis, key, positions?.[index] ?? "", since));
  const next = (): string => streams.map(({ position }) => position).join("_");
  for (let scanned = 0; scanned < scannedMax; scanned += 1) {
    for (const stream of streams) await stream.fill();
    const [first, second] = streams.flatMap((stream) => (stream.head === undefined ? [] : [{ stream, id: stream.head }]));
    if (first === undefined) return { docs, next: "" };
    const { stream } = second !== undefined && isBefore(second.id, first.id) ? second : first;
    const row = parse(stream.take());
    if (row === null || ![row.tenant, ""].includes(tenant) || ![row.session, ""].includes(session) || !isOwned(row, owner)) continue;
    docs.push(shown(row));
    if (docs.length === limit) return { docs, next: next() };
  }
  return { docs, next: next() };
}

/** One of the two streams, read from a position on. */
class StreamRows {
  private entries: [id: string, fields: string[]][] = [];
  private isOver = false;

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    /** Id of the row that was taken last; `0-0` before the first. */
    public position: string,
    private readonly since: number,
  ) {}

  /** Id of the next row. */
  get head(): string | undefined {
    return this.entries[0]?.[0];
  }

  /** To be called before `head`. */
  async fill(): Promise<void> {
    if (this.entries.length > 0 || this.isOver) return;
    const from = this.position === "" ? String(this.since) : `(${this.position}`;
    this.entries = await this.redis.xrange(this.key, from, "+", "COUNT", readAtOnce);
    this.isOver = this.entries.length < readAtOnce;
  }

  take(): string {
    const [id, fields] = this.entries.shift() ?? ["", []];
    this.position = id;
    return fields[1] ?? "";
  }
}

/** Positions in both streams; one of an earlier version stands for both. `undefined` for no `next` of a page. */
export function positionsOf(after: string): readonly string[] | undefined {
  const [changes = "", reads = changes, ...others] = after.split("_");
  return others.length === 0 && [changes, reads].every((position) => /^(\d{1,19}-\d{1,19})?$/.test(position))
    ? [changes, reads]
    : undefined;
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
