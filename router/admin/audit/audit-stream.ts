import { isBefore } from "../live-events/stored-events.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import typia from "typia";
import type { AuditRow, StoredAuditRow } from "../../../shared/cluster/audit/audit-row.js";
import { isSameTenant, isTenantName, type TenantLife } from "../../../shared/contract/tenant.js";

/** Most rows that one page reads. */
export const scannedMax = 10_000;
const readAtOnce = 1_000;

export interface AuditFilter {
  /** Milliseconds since 1970; 0 for all kept rows. */
  readonly since: number;
  /** Empty for all. */
  readonly tenant: string;
  /** Empty for all. */
  readonly session: string;
  /** Only rows of this tenant, and not of a deleted one with its name. */
  readonly owner?: TenantLife;
  /** Names of calls whose rows are left out. */
  readonly without?: ReadonlySet<string> | undefined;
  /** Default: oldest first. */
  readonly isNewestFirst?: boolean | undefined;
  readonly limit: number;
  /** `next` of the previous page in the same order, or empty. */
  readonly after: string;
}

export interface AuditPage {
  readonly docs: readonly AuditRow[];
  /** Empty on the last page. A page with few or no rows may have a next page, if the limit of scanned rows ended it. */
  readonly next: string;
}

/** Returns changes and reads together, in order of time. */
export async function readRows(redis: RedisClient, filter: AuditFilter): Promise<AuditPage> {
  const { limit, after, isNewestFirst = false } = filter;
  const docs: AuditRow[] = [];
  const positions = positionsOf(after);
  const streams = [keys.audit, keys.auditReads].map((key, index) => new StreamRows(redis, key, positions?.[index] ?? "", filter));
  const next = (): string => streams.map(({ position }) => position).join("_");
  for (let scanned = 0; scanned < scannedMax; scanned += 1) {
    for (const stream of streams) await stream.fill();
    const [first, second] = streams.flatMap((stream) => (stream.head === undefined ? [] : [{ stream, id: stream.head }]));
    if (first === undefined) return { docs, next: "" };
    const { stream } = second !== undefined && isBefore(second.id, first.id) !== isNewestFirst ? second : first;
    const row = parse(stream.take());
    if (row === null || !isWanted(row, filter)) continue;
    docs.push(shown(row));
    if (docs.length === limit) return { docs, next: next() };
  }
  return { docs, next: next() };
}

function isWanted(row: StoredAuditRow, { tenant, session, owner, without }: AuditFilter): boolean {
  return [row.tenant, ""].includes(tenant) && [row.session, ""].includes(session) && without?.has(row.what) !== true && isOwned(row, owner);
}

/** One of the two streams, read from a position. */
class StreamRows {
  private entries: [id: string, fields: string[]][] = [];
  private isOver = false;

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    /** Id of the last row taken; empty before the first read. */
    public position: string,
    private readonly range: Pick<AuditFilter, "since" | "isNewestFirst">,
  ) {}

  /** Id of the next row. */
  get head(): string | undefined {
    return this.entries[0]?.[0];
  }

  /** Must be called before `head`. */
  async fill(): Promise<void> {
    if (this.entries.length > 0 || this.isOver) return;
    this.entries = this.range.isNewestFirst === true ? await this.before() : await this.behind();
    this.isOver = this.entries.length < readAtOnce;
  }

  take(): string {
    const [id, fields] = this.entries.shift() ?? ["", []];
    this.position = id;
    return fields[1] ?? "";
  }

  private behind(): Promise<[id: string, fields: string[]][]> {
    const from = this.position === "" ? String(this.range.since) : `(${this.position}`;
    return this.redis.xrange(this.key, from, "+", "COUNT", readAtOnce);
  }

  private async before(): Promise<[id: string, fields: string[]][]> {
    // Redis rejects this position, and no row is before it.
    if (/^0+-0+$/.test(this.position)) return [];
    const from = this.position === "" ? "+" : `(${this.position}`;
    const entries = await this.redis.xrevrange(this.key, from, String(this.range.since), "COUNT", readAtOnce);
    // Rows that arrive later are newer than this page, so the next page must start before them even if this stream gave no row.
    if (this.position === "") this.position = idBehind(entries[0]?.[0] ?? "0-0");
    return entries;
  }
}

function idBehind(id: string): string {
  const [ms = "", count = ""] = id.split("-");
  return `${ms}-${BigInt(count) + 1n}`;
}

/**
 * Returns the positions in both streams; an older form has one position for both. Returns `undefined` for a text that is not the `next` of
 * a page.
 */
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

/** Returns null for a row of another version with another form. */
function parse(text: string): StoredAuditRow | null {
  try {
    return parseRow(text);
  } catch {
    return null;
  }
}
