import { pause } from "../../../shared/flow/pause.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { Egress } from "../../egress/egress.js";
import { chooseRevision } from "./choose-revision.js";
import { findRevision, lookupMs } from "./find-revision.js";
import type { ClientVersion } from "./parse-version.js";
import { readVersionRecord, writeLookup, type VersionRecord } from "./version-record.js";

/** Chooses the client version that connections use. */
export interface VersionPort {
  /** Returns the version for a connection that begins now. Never rejects. */
  current(): Promise<ClientVersion>;
  /**
   * Records that the platform refused this version. Resolves with true when a newer one can be tried. Never rejects, and takes seconds at
   * most.
   */
  refused(version: ClientVersion): Promise<boolean>;
}

/** Callbacks for metrics. */
export interface VersionMetrics {
  onVersion?(versions: VersionNumbers): void;
  onVersionLookup?(outcome: "found" | "older" | "failed"): void;
  onVersionRefused?(): void;
}

export interface VersionNumbers {
  /** The last number of the version that connections use. */
  readonly spoken: number;
  /**
   * The last number of the newest version found, and the time of that lookup in seconds. Absent if lookups are off or have found nothing.
   */
  readonly found?: number;
  readonly foundAtSeconds?: number;
}

export interface ClientVersionsOptions {
  readonly redis: RedisClient;
  readonly egress: Pick<Egress, "route">;
  readonly library: ClientVersion;
  /** If set, all connections use this version and lookups are off. */
  readonly pinned: ClientVersion | undefined;
  /** URL that names the newest version. If absent, lookups are off. */
  readonly url: URL | undefined;
  readonly metrics?: VersionMetrics | undefined;
  readonly log: Log;
  /** Milliseconds. Tests use shorter times. */
  readonly everyMs?: number;
  readonly betweenMs?: number;
  readonly lookupMs?: number;
}

/** Each check costs one small script. */
const everyMs = 60_000;
const betweenMs = 24 * 3_600_000;
const afterFailureMs = 3_600_000;
/** After a refusal. A connection that is refused with the newly found version waits for this interval too. */
const refusedBetweenMs = 10 * 60_000;
const firstReadMs = 2_000;
const pollMs = 250;

/**
 * Chooses the version of this process' connections (shard/README.md, "Versions of the platforms"). Shards share the results in Redis: one
 * of them runs a lookup once a day, or after a refusal if ten minutes have passed.
 */
export class ClientVersions implements VersionPort {
  private readonly stopped = new AbortController();
  private readonly searches = new Map<number, Promise<void>>();
  private found = 0;
  private foundAt = 0;
  private refusedRevision = 0;
  /** Number of Redis calls so far, and the latest call whose reply was applied. */
  private calls = 0;
  private taken = 0;
  private readonly startedAt = Date.now();
  private first: Promise<void> | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: ClientVersionsOptions) {
    this.report();
  }

  start(): void {
    if (this.options.pinned === undefined) this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all([this.running, ...this.searches.values()]);
  }

  async current(): Promise<ClientVersion> {
    if (this.options.pinned !== undefined) return this.options.pinned;
    await this.firstRead();
    return this.spoken;
  }

  async refused(version: ClientVersion): Promise<boolean> {
    this.options.metrics?.onVersionRefused?.();
    if (this.options.pinned !== undefined) return false;
    const [, , revision] = version;
    const search = this.searches.get(revision) ?? this.search(revision).finally(() => this.searches.delete(revision));
    this.searches.set(revision, search);
    await search;
    return this.spoken[2] > revision;
  }

  private get spoken(): ClientVersion {
    const { library, pinned } = this.options;
    if (pinned !== undefined) return pinned;
    return [library[0], library[1], chooseRevision({ library: library[2], found: this.found, refused: this.refusedRevision })];
  }

  /** Waits for the first read of the cluster's record, at most `firstReadMs`. */
  private firstRead(): Promise<void> {
    this.first ??= Promise.race([this.read().then(() => undefined, this.unread), pause(firstReadMs, this.stopped.signal)]);
    return this.first;
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const record = await this.read({ betweenMs: this.options.betweenMs ?? betweenMs, afterFailureMs }).catch(this.unread);
      if (record?.claimed === true) await this.runLookup(record.lookupStartedAt).catch(this.unread);
      await pause(this.options.everyMs ?? everyMs, signal);
    }
  }

  /** Never rejects. */
  private async search(revision: number): Promise<void> {
    try {
      const record = await this.read({ refused: revision, betweenMs: refusedBetweenMs, afterFailureMs: refusedBetweenMs });
      if (record.claimed) await this.runLookup(record.lookupStartedAt);
      else if (record.found <= revision) await this.awaitLookup(record);
    } catch (error) {
      this.unread(error);
    }
  }

  private async read(claim: { refused?: number; betweenMs?: number; afterFailureMs?: number } = {}): Promise<VersionRecord> {
    const { redis, url } = this.options;
    const call = ++this.calls;
    const record = await readVersionRecord(redis, url === undefined ? { refused: claim.refused ?? 0 } : claim);
    this.take(call, record);
    return record;
  }

  /** Waits for the lookup of another shard. */
  private async awaitLookup({ lookupStartedAt }: VersionRecord): Promise<void> {
    const endsAt = performance.now() + lookupMs;
    for (;;) {
      const { lookupEndedAt } = await this.read();
      if (lookupEndedAt >= lookupStartedAt || performance.now() >= endsAt || this.stopped.signal.aborted) return;
      await pause(pollMs, this.stopped.signal);
    }
  }

  private async runLookup(startedAt: number): Promise<void> {
    const { redis, egress, library, url, metrics, log } = this.options;
    if (url === undefined) return;
    const { signal } = this.stopped;
    let found: number | undefined;
    try {
      found = await findRevision({ url, route: egress.route(undefined), library, signal, withinMs: this.options.lookupMs ?? lookupMs });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "whatsapp client version lookup failed");
    }
    if (found === undefined) metrics?.onVersionLookup?.("failed");
    const call = ++this.calls;
    const newest = await writeLookup(redis, startedAt, found);
    if (found === undefined) return;
    metrics?.onVersionLookup?.(newest === found ? "found" : "older");
    if (newest !== found) log.info({ known: newest, found }, "whatsapp client version lookup returned an older version");
    this.take(call, { found: newest, foundAt: startedAt, refused: this.refusedRevision });
  }

  /** Replies that arrive together may be handled out of order, so an older call's reply never overwrites a newer one. */
  private take(call: number, { found, foundAt, refused }: Pick<VersionRecord, "found" | "foundAt" | "refused">): void {
    if (call < this.taken) return;
    this.taken = call;
    const before = this.spoken;
    this.found = found;
    this.foundAt = foundAt;
    this.refusedRevision = refused;
    const after = this.spoken;
    if (after[2] !== before[2])
      this.options.log.info({ before: before.join("."), after: after.join(".") }, "whatsapp client version changed");
    this.report();
  }

  private report(): void {
    const { metrics, url, pinned } = this.options;
    const usesLookups = url !== undefined && pinned === undefined;
    metrics?.onVersion?.({
      spoken: this.spoken[2],
      ...(usesLookups && this.found !== 0 ? { found: this.found } : {}),
      ...(usesLookups ? { foundAtSeconds: (this.found === 0 ? this.startedAt : this.foundAt) / 1_000 } : {}),
    });
  }

  private readonly unread = (error: unknown): undefined => {
    this.options.log.debug({ err: error }, "cluster version record unavailable");
    return undefined;
  };
}
