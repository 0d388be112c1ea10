import { mediaWaitMs } from "../../../shared/limits.js";
import { ApiError } from "../../../shared/contract/api-error.js";
import { storageUnavailable } from "../../../shared/contract/errors.js";
import { SingleFlight } from "../../../shared/flow/single-flight.js";
import { KeyedSemaphore, type PlaceLimit, type Release } from "../../flow/keyed-semaphore.js";
import { recentCache } from "../../flow/recent-cache.js";

/** The cache for fetched chunks, which the routers read. */
export interface ChunkStore {
  put(fileKey: string, chunk: number, bytes: Buffer): Promise<void>;
  /** Returns the bytes of a chunk in the cache and renews its hour; 0 when the chunk is not there. */
  length(fileKey: string, chunk: number): Promise<number>;
}

/** The chunk to read, and the session that reads it. */
export interface WantedChunk {
  readonly tenant: string;
  readonly session: string;
  readonly fileKey: string;
  readonly chunk: number;
  /** Expected bytes of the chunk. `undefined` when unknown: the cache is then not checked. */
  readonly length: number | undefined;
}

export interface ChunkSourceMetrics {
  /** `seconds` from the start of the fetch, without its wait, to the stored chunk. */
  fetched(outcome: string, seconds: number, bytes: number): void;
  /** Seconds that a fetch waited for its turn; not called when it did not wait. */
  waited(seconds: number): void;
  /** Changes of the numbers of running and of waiting fetches. */
  changed(running: number, waiting: number): void;
  /** The chunk had come into the cache after its reader checked the cache. */
  alreadyStored(): void;
}

/**
 * Runs one fetch per chunk, however many readers wait, within 30 s in all; its bytes go into the cache. A fetch without readers ends at
 * once if it has not begun; otherwise its bytes are stored if they come within a moment.
 */
export class ChunkSource {
  private readonly fetches = new SingleFlight<number>();
  /** The session whose access and connection a fetch uses, by chunk. */
  private readonly fetchers = new Map<string, { readonly session: string }>();
  /** Fetches that were sent to the platform and have no readers left. Each holds a turn, so their number is bounded. */
  private readonly late = new Map<string, Promise<number>>();
  /** Signals of fetches that were sent to the platform. */
  private readonly sent = new WeakSet<AbortSignal>();
  /** Chunks stored recently: a reader may check the cache just before a chunk is stored and request it just after. */
  private readonly stored = recentCache<object>(8_192, 60_000);

  constructor(
    private readonly store: ChunkStore,
    private readonly metrics: ChunkSourceMetrics | undefined,
    /** The error for a fetch that took too long, in the platform's own words. */
    private readonly timeout: () => ApiError,
    private readonly waitMs = mediaWaitMs,
    private readonly turns = fetchTurns(),
    private readonly lateMs = keptMs,
  ) {}

  /** Fetches with readers, including those that wait for their turn. */
  get size(): number {
    return this.fetches.size;
  }

  /** Resolves with the length of the chunk once it is in the cache. Rejects with the signal's reason when this reader leaves. */
  async read(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    const fetcher = this.fetchers.get(keyOf(wanted));
    try {
      return await this.join(wanted, fetch, signal);
    } catch (error) {
      // Sessions share the fetches of a file, but a fault of one session's access or connection must not fail the other.
      if (fetcher === undefined || fetcher.session === wanted.session || signal.aborted) throw error;
      return await this.join(wanted, fetch, signal);
    }
  }

  private join(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    const key = keyOf(wanted);
    return this.fetches.join(key, (left) => this.start(key, wanted, fetch, left), signal);
  }

  private start(key: string, wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, left: AbortSignal): Promise<number> {
    const fetcher = { session: wanted.session };
    this.fetchers.set(key, fetcher);
    const control = new AbortController();
    const done = this.run(key, wanted, fetch, control).finally(() => {
      if (this.fetchers.get(key) === fetcher) this.fetchers.delete(key);
    });
    left.addEventListener("abort", () => this.giveUp(key, done, control, left.reason), { once: true });
    return done;
  }

  /** Keeps a sent fetch for a moment. New readers do not join it, because it may never end. */
  private giveUp(key: string, done: Promise<number>, control: AbortController, reason: unknown): void {
    if (!this.sent.has(control.signal)) return control.abort(reason);
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
      // A fetch begins at once when it may.
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
    this.metrics?.changed(1, 0);
    this.sent.add(signal);
    let outcome = "failed";
    let length = 0;
    try {
      const bytes = await fetch(signal).catch((error: unknown) => {
        outcome = outcomeOf(error, signal);
        throw error;
      });
      // Without the cache the bytes cannot reach the router; a retry may succeed.
      await this.store.put(fileKey, chunk, bytes).catch((error: unknown) => {
        throw storageUnavailable(error);
      });
      this.stored.set(key, present);
      outcome = "ok";
      return (length = bytes.length);
    } finally {
      this.metrics?.changed(-1, 0);
      this.metrics?.fetched(outcome, (performance.now() - startedAt) / 1000, length);
    }
  }

  private async waited(turn: Promise<Release>, signal: AbortSignal): Promise<Release> {
    const queuedAt = performance.now();
    this.metrics?.changed(0, 1);
    try {
      return await turn;
    } catch (error) {
      this.metrics?.fetched(outcomeOf(error, signal), 0, 0);
      throw error;
    } finally {
      this.metrics?.changed(0, -1);
      this.metrics?.waited((performance.now() - queuedAt) / 1000);
    }
  }

  /** Treats a failing cache as one without the chunk. */
  private async isStored({ fileKey, chunk, length }: WantedChunk): Promise<boolean> {
    if (length === undefined) return false;
    const stored = await this.store.length(fileKey, chunk).catch(() => 0);
    if (stored !== length) return false;
    this.metrics?.alreadyStored();
    return true;
  }
}

/** Returns the turns of fetches. Platforms of one process share them, so that the memory of all fetches is bounded. */
export function fetchTurns(): KeyedSemaphore {
  return new KeyedSemaphore(fetchLimits);
}

/**
 * Concurrent fetches: 4 of a file keep its connection busy, 8 of a session leave room for a picture beside a video, and 64 in all bound
 * the memory, at about 1.5 MiB each. The lanes of commands bound what waits.
 */
const fetchLimits: readonly PlaceLimit[] = [64, Number.POSITIVE_INFINITY, 8, 4];
/** A mark: only the key matters. */
const present = {};
/** How long a fetch without readers may still take. */
const keptMs = 1_000;

function keyOf({ fileKey, chunk }: WantedChunk): string {
  return `${fileKey}:${chunk}`;
}

/** Returns true when the fetch brings the wanted length. Its failure is not the new reader's, which fetches again. */
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
