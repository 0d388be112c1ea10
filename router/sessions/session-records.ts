import { LRUCache } from "lru-cache";
import { slotOf } from "../../shared/contract/slot.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { defaultTenant, isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { RecordTexts } from "../../shared/session/record-texts.js";
import type { SessionState } from "../../shared/session/state.js";
import { parseSummary } from "../../shared/session/summary.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { rememberedMs } from "../bus/slot-owners.js";
import type { TrackedReads, TrackedSource } from "../bus/redis/invalidation-feed.js";
import { freshnessOf, provenMs } from "../bus/redis/freshness.js";
import type { OpenedRecords } from "./opened-records.js";

/** An opened session record. Immutable: a changed record is a new object. */
export interface SessionRecord {
  readonly id: SessionId;
  readonly slot: number;
  readonly platform: Platform;
  /** SHA-256 of the `session-id`, hex. */
  readonly secretHash: string;
  /** Tenant that owns the session. It never changes. */
  readonly tenant: TenantName;
  /** Incarnation of that tenant (`TenantLife`); empty in records that predate this field. */
  readonly incarnation: string;
  /** Token with which the owner stamped the state. */
  readonly stamp: string | undefined;
  /** Sealed webhook settings (`webhook-settings.ts`); empty when the webhook is off. */
  readonly webhook: string;
  readonly state: SessionState;
  /** Platform id of the last account that logged in; empty before the first login. */
  readonly lastAccount: string;
  /** Reason why the session is not connected; empty while it is connected or when there is no error. */
  readonly lastError: string;
  /** Opens further sealed texts of the session. */
  readonly texts: RecordTexts;
}

/** Fields of a stored record that the caller's credentials must match. */
export type StoredRight = Pick<SessionRecord, "secretHash" | "tenant" | "incarnation">;
/** Receives `undefined` if there is no such record, and must take the same time. */
export type Admits = (record: StoredRight | undefined) => boolean;

export interface SessionRecordsOptions {
  /** While it does not track a record's key, the record is not remembered and every call reads Redis. */
  readonly feed: TrackedReads;
  /** Used if no read is tracked or the tracked connection fails. */
  readonly redis: RedisClient;
  readonly opened: Pick<OpenedRecords, "open">;
  readonly metrics?: { recordCurrent(): void };
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Remembered {
  readonly record: SessionRecord;
  readonly key: string;
  readonly source: TrackedSource;
  /** Time before the read was sent. */
  readonly readAt: number;
}

const rememberedMax = 10_000;
const rememberedBytes = 32 * 1024 * 1024;
/** Size of an entry without its texts. */
const entryBytes = 1_000;

/**
 * Remembers records whose changes Redis reports (client-side caching). `current` returns only records proven to be current. Missing and
 * deleted sessions are not remembered. Evicts the least recently used.
 */
export class SessionRecords {
  private readonly remembered = new LRUCache<SessionId, Remembered, number>({ max: rememberedMax, maxSize: rememberedBytes });
  /** Reads in flight. A read that a notification overtook leaves the set, and its result is not remembered. */
  private readonly reading = new Set<{ readonly id: SessionId }>();
  private readonly now: () => number;
  /** Time of the last stale hit of `current`, and whether it came soon after the one before. */
  private missedAt = Number.NEGATIVE_INFINITY;
  private isBusy = false;

  constructor(private readonly options: SessionRecordsOptions) {
    this.now = options.now ?? (() => performance.now());
    options.feed.onKeys((key) => this.changed(key));
    options.feed.onLost(() => this.clear());
  }

  /** Number of records held now. */
  get size(): number {
    return this.remembered.size;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.remembered.calculatedSize;
  }

  /** Returns the record if it is proven to be what Redis has, otherwise `undefined`. */
  current(id: SessionId): SessionRecord | undefined {
    const cached = this.remembered.get(id);
    // The key's master may have changed since.
    if (cached === undefined || this.options.feed.at(cached.key) !== cached.source) return undefined;
    const now = this.now();
    const { isCurrent, renew } = freshnessOf(provenAt(cached), now);
    if (!isCurrent) {
      this.isBusy = now - this.missedAt < provenMs;
      this.missedAt = now;
      return undefined;
    }
    if (renew) cached.source.renew();
    this.options.metrics?.recordCurrent();
    return cached.record;
  }

  /**
   * Proves a remembered record by a check that many callers share. Returns `undefined` if the record must be read, for example when calls
   * are rare. A caller who is not admitted does not wait here.
   */
  async proven(platform: Platform, id: SessionId, admits: Admits): Promise<SessionRecord | undefined> {
    const cached = this.remembered.get(id);
    if (cached?.record.platform !== platform || !this.isBusy || !admits(cached.record)) return undefined;
    const from = this.now();
    await cached.source.prove();
    const isSame = this.remembered.get(id) === cached && this.options.feed.at(cached.key) === cached.source;
    if (!isSame || cached.source.notifiedUntil < from) return undefined;
    this.options.metrics?.recordCurrent();
    return cached.record;
  }

  /** Returns the record as Redis had it at most 2 s ago. */
  recent(id: SessionId): SessionRecord | undefined {
    const cached = this.remembered.get(id);
    return cached !== undefined && this.now() - provenAt(cached) < rememberedMs ? cached.record : undefined;
  }

  /**
   * Reads the record; `undefined` if it is missing, of another platform or not admitted. Rejects with the error of Redis, or with
   * `UnreadableSession`. `general`: avoids the tracked connection.
   */
  async read(platform: Platform, id: SessionId, admits: Admits, general: boolean): Promise<SessionRecord | undefined> {
    const key = keys.session(id);
    const source = general ? undefined : this.options.feed.at(key);
    const reading = { id };
    this.reading.add(reading);
    try {
      const readAt = this.now();
      const row = await readRow(source?.redis ?? this.options.redis, key);
      const { record, bytes } = this.open(platform, id, row, admits) ?? {};
      // `reading` is still in the set only if nothing changed during the read.
      if (record !== undefined && source !== undefined && this.reading.has(reading) && record.state.kind !== "deleted")
        this.remembered.set(id, { record, key, source, readAt }, { size: entryBytes + 2 * (bytes ?? 0) });
      return record;
    } finally {
      this.reading.delete(reading);
    }
  }

  private open(platform: Platform, id: SessionId, row: Row, admits: Admits): { record: SessionRecord; bytes: number } | undefined {
    const [
      storedPlatform,
      secret,
      stamp,
      webhook,
      owningTenant,
      life,
      dataKey = null,
      sealed = null,
      account = null,
      unreadable = null,
      summary = null,
    ] = row;
    const secretHash = secret?.toString();
    const tenant = tenantOf(owningTenant?.toString());
    const incarnation = life?.toString() ?? "";
    const exists =
      secretHash !== undefined && tenant !== undefined && storedPlatform?.toString() === platform && platforms.includes(platform);
    if (!admits(exists ? { secretHash, tenant, incarnation } : undefined) || !exists) return undefined;
    const opened = this.options.opened.open(id, { dataKey, state: sealed, account, unreadable });
    if (opened === undefined) throw new UnreadableSession("stored session state cannot be read");
    const { state, lastAccount, texts } = opened;
    // Built field by field for every read: an object that grows after a copy costs microseconds (bench/findings.md).
    const record: SessionRecord = {
      id,
      slot: slotOf(id),
      platform,
      secretHash,
      tenant,
      incarnation,
      stamp: stamp?.toString(),
      webhook: webhook?.toString() ?? "",
      state,
      lastAccount,
      lastError: state.kind === "connected" || state.kind === "deleted" ? "" : lastErrorIn(texts, summary),
      texts,
    };
    return { record, bytes: (sealed?.length ?? 0) + (webhook?.length ?? 0) };
  }

  private changed(key: string): void {
    const id = /^session:\{\d+\}:(.+)$/.exec(key)?.[1];
    if (id === undefined) return;
    this.remembered.delete(id as SessionId);
    for (const reading of this.reading) if (reading.id === id) this.reading.delete(reading);
  }

  private clear(): void {
    this.remembered.clear();
    this.reading.clear();
  }
}

function lastErrorIn(texts: RecordTexts, summary: Buffer | null): string {
  try {
    return parseSummary(texts.open(summary, "summary"))?.lastError ?? "";
  } catch (error) {
    if (error instanceof UnreadableRecord) return "";
    throw error;
  }
}

/** Time at which the record was last known to match Redis: its read, or a later proof of its server. */
function provenAt({ readAt, source }: Remembered): number {
  return Math.max(readAt, source.notifiedUntil);
}

type Row = readonly (Buffer | null | undefined)[];

async function readRow(redis: RedisClient, key: string): Promise<Row> {
  return await redis.hmgetBuffer(
    key,
    "platform",
    "secretHash",
    "tok",
    "wh",
    "tenant",
    "incarnation",
    "dk",
    "state",
    "account",
    "unreadable",
    "summary",
  );
}

/** Returns the tenant of a stored session, or `undefined` if the text was altered. */
export function tenantOf(stored: string | null | undefined): TenantName | undefined {
  return stored == null ? defaultTenant : isTenantName(stored) ? stored : undefined;
}

/** The stored record cannot be read, and a retry does not help. */
export class UnreadableSession extends Error {
  override readonly name = "UnreadableSession";
}
