import { mediaWaitMs } from "../../../shared/limits.js";
import { ApiError } from "../../../shared/contract/api-error.js";
import { serverBusy } from "../../../shared/contract/errors.js";
import { SingleFlight } from "../../../shared/flow/single-flight.js";
import { KeyedSemaphore, type PlaceLimit, type Release } from "../../flow/keyed-semaphore.js";
import { recentCache } from "../../flow/recent-cache.js";

/** Where fetched chunks go: the cache that the routers read. */
export interface ChunkStore {
  put(fileKey: string, chunk: number, bytes: Buffer): Promise<void>;
  /** Bytes of a chunk in the cache, for which its hour begins anew; 0 when it is not there. */
  length(fileKey: string, chunk: number): Promise<number>;
}

/** What is wanted, and for whom. */
export interface WantedChunk {
  readonly tenant: string;
  readonly session: string;
  readonly fileKey: string;
  readonly chunk: number;
  /** Bytes that the chunk must have; `undefined`: nobody knows, so what the cache may have of it is not looked at. */
  readonly length: number | undefined;
}

export interface ChunkSourceMetrics {
  /** `seconds` from the fetch's turn, without the wait for it, to the stored chunk. */
  fetched(outcome: string, seconds: number, bytes: number): void;
  /** Seconds that a fetch waited for its turn; not called of one that had it at once. */
  waited(seconds: number): void;
  /** By how much the number of fetches that run, and of those that wait, changed. */
  changed(running: number, waiting: number): void;
  /** The chunk had come into the cache since its reader looked there. */
  alreadyStored(): void;
}

/**
 * One fetch per chunk, however many wait for it. A fetch waits for its turn (`fetchLimits`), and ends after 30 s in all (`did not answer the media request in
 * time`); its bytes go into the cache, and its waiters learn only how many there are. When nobody waits for it any more it ends at once if it has not had its turn.
 * Otherwise the platform has been asked and will answer all the same: what comes within a moment is stored, for the next reader of the place.
 */
export class ChunkSource {
  private readonly fetches = new SingleFlight<number>();
  /** Whose access and connection a fetch uses, by chunk. */
  private readonly askers = new Map<string, { readonly session: string }>();
  /** Asked of the platform, and left by everybody. Each holds a turn, so their number is bounded. */
  private readonly late = new Map<string, Promise<number>>();
  /** Whose answer is on its way. */
  private readonly asked = new WeakSet<AbortSignal>();
  /** Of chunks that were stored lately. A reader that looked for one just before asks for it just after. */
  private readonly stored = recentCache<object>(8_192, 60_000);

  constructor(
    private readonly store: ChunkStore,
    private readonly metrics: ChunkSourceMetrics,
    /** What a reader is told of a fetch that took too long: the platform's own sentence. */
    private readonly timeout: () => ApiError,
    private readonly waitMs = mediaWaitMs,
    private readonly turns = new KeyedSemaphore(fetchLimits),
    private readonly lateMs = keptMs,
  ) {}

  /** Fetches that somebody waits for, those that wait for their turn included. */
  get size(): number {
    return this.fetches.size;
  }

  /** Resolves with the length of the chunk once it is in the cache. Rejects with the signal's reason when this waiter gives up. */
  async read(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    const asker = this.askers.get(keyOf(wanted));
    try {
      return await this.join(wanted, fetch, signal);
    } catch (error) {
      // Sessions share the fetches of a file, but one's lost access or connection is not the other's.
      if (asker === undefined || asker.session === wanted.session || signal.aborted) throw error;
      return await this.join(wanted, fetch, signal);
    }
  }

  private join(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    const key = keyOf(wanted);
    return this.fetches.join(key, (left) => this.start(key, wanted, fetch, left), signal);
  }

  private start(key: string, wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, left: AbortSignal): Promise<number> {
    const asker = { session: wanted.session };
    this.askers.set(key, asker);
    const control = new AbortController();
    const done = this.run(key, wanted, fetch, control).finally(() => {
      if (this.askers.get(key) === asker) this.askers.delete(key);
    });
    left.addEventListener("abort", () => this.giveUp(key, done, control, left.reason), { once: true });
    return done;
  }

  /** A newcomer does not join it: it may be one that is never answered. */
  private giveUp(key: string, done: Promise<number>, control: AbortController, reason: unknown): void {
    if (!this.asked.has(control.signal)) return control.abort(reason);
    this.late.set(key, done);
    const timer = setTimeout(() => control.abort(reason), this.lateMs);
    const forget = (): void => {
      clearTimeout(timer);
      this.late.delete(key);
    };
    done.then(forget, forget);
  }

  private async run(
    key: string,
    wanted: WantedChunk,
    fetch: (signal: AbortSignal) => Promise<Buffer>,
    control: AbortController,
  ): Promise<number> {
    const { tenant, session, fileKey } = wanted;
    const timer = setTimeout(() => control.abort(this.timeout()), this.waitMs);
    try {
      // No needless wait: a fetch begins at once when it may.
      const late = this.late.get(key);
      if (late !== undefined && (await isWhole(late, wanted.length))) return await late;
      if (this.stored.has(key) && (await this.isStored(wanted))) return wanted.length ?? 0;
      const place = [tenant, session, fileKey];
      const endTurn = this.turns.tryEnter(place) ?? (await this.waited(this.turns.enter(place, control.signal), control.signal));
      try {
        return await this.fetched(key, wanted, fetch, control.signal);
      } finally {
        endTurn();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async fetched(
    key: string,
    { fileKey, chunk }: WantedChunk,
    fetch: (signal: AbortSignal) => Promise<Buffer>,
    signal: AbortSignal,
  ): Promise<number> {
    const startedAt = performance.now();
    this.metrics.changed(1, 0);
    this.asked.add(signal);
    let outcome = "failed";
    let length = 0;
    try {
      const bytes = await fetch(signal).catch((error: unknown) => {
        outcome = outcomeOf(error, signal);
        throw error;
      });
      // Without the cache the bytes have no way to the router; in a moment they may.
      await this.store.put(fileKey, chunk, bytes).catch((error: unknown) => {
        throw serverBusy(error);
      });
      this.stored.set(key, known);
      outcome = "ok";
      return (length = bytes.length);
    } finally {
      this.metrics.changed(-1, 0);
      this.metrics.fetched(outcome, (performance.now() - startedAt) / 1000, length);
    }
  }

  private async waited(turn: Promise<Release>, signal: AbortSignal): Promise<Release> {
    const queuedAt = performance.now();
    this.metrics.changed(0, 1);
    try {
      return await turn;
    } catch (error) {
      this.metrics.fetched(outcomeOf(error, signal), 0, 0);
      throw error;
    } finally {
      this.metrics.changed(0, -1);
      this.metrics.waited((performance.now() - queuedAt) / 1000);
    }
  }

  /** A cache that does not answer does not have it. */
  private async isStored({ fileKey, chunk, length }: WantedChunk): Promise<boolean> {
    if (length === undefined) return false;
    const stored = await this.store.length(fileKey, chunk).catch(() => 0);
    if (stored !== length) return false;
    this.metrics.alreadyStored();
    return true;
  }
}

/**
 * Fetches at once, of tenants, of the sessions of each, and of their files: so that a large download holds up neither a picture nor another account, and no customer another. Four of a file keep its
 * connection busy; eight of a session leave room for a picture beside a film; 64 of all, each with about 1.5 MiB in buffers on its way from the socket to the
 * cache, bound the memory of a shard. What waits is bounded by the lanes of commands in front of it.
 */
const fetchLimits: readonly PlaceLimit[] = [64, Number.POSITIVE_INFINITY, 8, 4];
/** A mark: only the key matters. */
const known = {};
/** How long an answer is awaited that nobody wants any more. */
const keptMs = 1_000;

function keyOf({ fileKey, chunk }: WantedChunk): string {
  return `${fileKey}:${chunk}`;
}

/** True when it brings what is wanted. Its failure is not the newcomer's, who asks anew. */
async function isWhole(done: Promise<number>, length: number | undefined): Promise<boolean> {
  return await done.then(
    (came) => length === undefined || came === length,
    () => false,
  );
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ApiError && error.status === 503) return error === signal.reason ? "timeout" : "wait";
  if (error instanceof ApiError && error.status === 404) return "gone";
  return signal.aborted ? "aborted" : "failed";
}
