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

/** A session's record, opened. It never changes: another record is another object. */
export interface SessionRecord {
  readonly id: SessionId;
  readonly slot: number;
  readonly platform: Platform;
  /** SHA-256 of the `session-id`, hex. */
  readonly secretHash: string;
  /** To whom it belongs, for ever. */
  readonly tenant: TenantName;
  /** Which tenant of that name (`TenantLife`); empty in a record that predates this. */
  readonly incarnation: string;
  /** The token with which its owner has stamped the state. */
  readonly stamp: string | undefined;
  /** Sealed settings of the webhook (`webhook-settings.ts`), empty when it is off. */
  readonly webhook: string;
  readonly state: SessionState;
  /** Platform id of the account that was logged in last; empty before the first login. */
  readonly lastAccount: string;
  /** Why the session is not connected; empty while it is, and where nothing befell it. */
  readonly lastError: string;
  /** Opens what else stands sealed of the session. */
  readonly texts: RecordTexts;
}

/** Of a stored record, what its caller must fit. */
export type StoredRight = Pick<SessionRecord, "secretHash" | "tenant" | "incarnation">;
/** `undefined`: there is no such record, which takes as long to find out. */
export type Admits = (record: StoredRight | undefined) => boolean;

export interface SessionRecordsOptions {
  /** While it does not track a record, that is not remembered, and every look asks Redis. */
  readonly feed: TrackedReads;
  /** Asked where no read is tracked, and where the tracked connection does not answer. */
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
  /** Before the read was sent. */
  readonly readAt: number;
}

const rememberedMax = 10_000;
const rememberedBytes = 32 * 1024 * 1024;
/** Of an entry beside its texts. */
const entryBytes = 1_000;

/**
 * Sessions' records in this process's memory, as far as Redis tells of every write to them (client-side caching). Messages take a millisecond or so; `current` serves only what is
 * proven to have no message on its way. A session that is not there or was deleted is not remembered, so that a new one is seen at once. The least recently used go first.
 */
export class SessionRecords {
  private readonly remembered = new LRUCache<SessionId, Remembered, number>({ max: rememberedMax, maxSize: rememberedBytes });
  /** Reads under way. One that a message has overtaken leaves its set and is not remembered. */
  private readonly reading = new Set<{ readonly id: SessionId }>();
  private readonly now: () => number;
  /** When `current` last had nothing to serve although it remembered something, and whether that was soon after the time before. */
  private missedAt = Number.NEGATIVE_INFINITY;
  private isBusy = false;

  constructor(private readonly options: SessionRecordsOptions) {
    this.now = options.now ?? (() => performance.now());
    options.feed.onKeys((key) => this.changed(key));
    options.feed.onLost(() => this.clear());
  }

  /** Records remembered now. */
  get size(): number {
    return this.remembered.size;
  }

  /** Bytes remembered now. */
  get bytes(): number {
    return this.remembered.calculatedSize;
  }

  /** As Redis has it, without asking; `undefined` where Redis has to be asked. */
  current(id: SessionId): SessionRecord | undefined {
    const known = this.remembered.get(id);
    // The key's master may have changed since.
    if (known === undefined || this.options.feed.at(known.key) !== known.source) return undefined;
    const now = this.now();
    const { isCurrent, renew } = freshnessOf(provenAt(known), now);
    if (!isCurrent) {
      this.isBusy = now - this.missedAt < provenMs;
      this.missedAt = now;
      return undefined;
    }
    if (renew) known.source.renew();
    this.options.metrics?.recordCurrent();
    return known.record;
  }

  /**
   * As Redis has it, by a proof that many share; `undefined` where the record has to be read. Where looks are rare, a read is cheaper. Who is not admitted does not wait here, as nobody does
   * for a session that is not there.
   */
  async proven(platform: Platform, id: SessionId, admits: Admits): Promise<SessionRecord | undefined> {
    const known = this.remembered.get(id);
    if (known?.record.platform !== platform || !this.isBusy || !admits(known.record)) return undefined;
    const from = this.now();
    await known.source.prove();
    const isSame = this.remembered.get(id) === known && this.options.feed.at(known.key) === known.source;
    if (!isSame || known.source.toldUntil < from) return undefined;
    this.options.metrics?.recordCurrent();
    return known.record;
  }

  /** As Redis had it a moment ago, 2 s at the most. */
  recent(id: SessionId): SessionRecord | undefined {
    const known = this.remembered.get(id);
    return known !== undefined && this.now() - provenAt(known) < rememberedMs ? known.record : undefined;
  }

  /**
   * As Redis has it; `undefined` where there is none on this platform, or it is not admitted: then nothing of it is opened. Rejects with Redis' trouble, and with `UnreadableSession`.
   * `general`: not on the tracked connection, which has its own troubles.
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
      // `reading` is still in its set only if nothing changed between the read and its answer.
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
    const isKnown =
      secretHash !== undefined && tenant !== undefined && storedPlatform?.toString() === platform && platforms.includes(platform);
    if (!admits(isKnown ? { secretHash, tenant, incarnation } : undefined) || !isKnown) return undefined;
    const opened = this.options.opened.open(id, { dataKey, state: sealed, account, unreadable });
    if (opened === undefined) throw new UnreadableSession("stored session state cannot be read");
    const { state, lastAccount, texts } = opened;
    // Field by field: it is made for every read, and an object that is copied and then grows costs microseconds (bench/findings.md).
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

/** When it was last known to be what Redis has: who only asks for proofs never reads it again. */
function provenAt({ readAt, source }: Remembered): number {
  return Math.max(readAt, source.toldUntil);
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

/** To whom a stored session belongs. A text that was altered makes it nobody's. */
export function tenantOf(stored: string | null | undefined): TenantName | undefined {
  return stored == null ? defaultTenant : isTenantName(stored) ? stored : undefined;
}

/** Waiting does not help. */
export class UnreadableSession extends Error {
  override readonly name = "UnreadableSession";
}
