import { mediaWaitMs } from "../../shared/limits.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { serverBusy } from "../../shared/contract/errors.js";
import { recentCache } from "../flow/recent-cache.js";
import { FetchTurns } from "./fetch-turns.js";

/** Where fetched chunks go: the cache that the routers read. */
export interface ChunkStore {
  put(fileKey: string, chunk: number, bytes: Buffer): Promise<void>;
  /** Bytes of a chunk in the cache, for which its hour begins anew; 0 when it is not there. */
  length(fileKey: string, chunk: number): Promise<number>;
}

/** What is wanted, and for whom. */
export interface WantedChunk {
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
 * One fetch per chunk, however many wait for it. A fetch waits for its turn (`FetchTurns`), and ends after 30 s in all (`did not answer the media request in
 * time`); its bytes go into the cache, and its waiters learn only how many there are. When nobody waits for it any more it ends at once if it has not had its turn.
 * Otherwise the platform has been asked and will answer all the same: what comes within a moment is stored, for the next reader of the place.
 */
export class ChunkSource {
  private readonly running = new Map<string, Fetch>();
  /** Asked of the platform, and left by everybody. Each holds a turn, so their number is bounded. */
  private readonly late = new Map<string, Fetch>();
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
    private readonly turns = new FetchTurns(),
    private readonly lateMs = keptMs,
  ) {}

  /** Fetches that somebody waits for, those that wait for their turn included. */
  get size(): number {
    return this.running.size;
  }

  /** Resolves with the length of the chunk once it is in the cache. Rejects with the signal's reason when this waiter gives up. */
  async read(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    const others = this.running.get(keyOf(wanted));
    try {
      return await this.join(wanted, fetch, signal);
    } catch (error) {
      // Sessions share the fetches of a file, but one's lost access or connection is not the other's.
      if (others === undefined || others.session === wanted.session || signal.aborted) throw error;
      return await this.join(wanted, fetch, signal);
    }
  }

  private async join(wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const key = keyOf(wanted);
    const entry = this.running.get(key) ?? this.start(key, wanted, fetch);
    entry.waiters++;
    return new Promise<number>((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener("abort", onAbort);
        entry.waiters--;
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
        if (entry.waiters === 0) this.giveUp(key, entry, signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      entry.done.then(resolve, reject).finally(() => {
        if (!signal.aborted) leave();
      });
    });
  }

  private start(key: string, wanted: WantedChunk, fetch: (signal: AbortSignal) => Promise<Buffer>): Fetch {
    const control = new AbortController();
    const entry: Fetch = { control, session: wanted.session, waiters: 0, done: this.run(key, wanted, fetch, control) };
    this.running.set(key, entry);
    const forget = (): void => {
      if (this.running.get(key) === entry) this.running.delete(key);
    };
    entry.done.then(forget, forget);
    return entry;
  }

  /** A newcomer does not join it: it may be one that is never answered. */
  private giveUp(key: string, entry: Fetch, reason: unknown): void {
    if (this.running.get(key) === entry) this.running.delete(key);
    if (!this.asked.has(entry.control.signal)) return entry.control.abort(reason);
    this.late.set(key, entry);
    const timer = setTimeout(() => entry.control.abort(reason), this.lateMs);
    const forget = (): void => {
      clearTimeout(timer);
      this.late.delete(key);
    };
    entry.done.then(forget, forget);
  }

  private async run(
    key: string,
    wanted: WantedChunk,
    fetch: (signal: AbortSignal) => Promise<Buffer>,
    control: AbortController,
  ): Promise<number> {
    const { session, fileKey } = wanted;
    const timer = setTimeout(() => control.abort(this.timeout()), this.waitMs);
    try {
      // Nothing is waited for that need not be: a fetch begins at once when it may.
      const late = this.late.get(key);
      if (late !== undefined && (await isWhole(late, wanted.length))) return await late.done;
      if (this.stored.has(key) && (await this.isStored(wanted))) return wanted.length ?? 0;
      const turn = this.turns.take(session, fileKey, control.signal);
      const endTurn = typeof turn === "function" ? turn : await this.waited(turn, control.signal);
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

  private async waited(turn: Promise<() => void>, signal: AbortSignal): Promise<() => void> {
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

/** A mark: that a chunk is known is all there is to know. */
const known = {};
/** How long the answer to what nobody waits for any more is waited for. */
const keptMs = 1_000;

function keyOf({ fileKey, chunk }: WantedChunk): string {
  return `${fileKey}:${chunk}`;
}

/** True when it brings what is wanted. Its failure is not the newcomer's, who asks anew. */
async function isWhole({ done }: Fetch, length: number | undefined): Promise<boolean> {
  return await done.then(
    (came) => length === undefined || came === length,
    () => false,
  );
}

interface Fetch {
  readonly done: Promise<number>;
  readonly control: AbortController;
  /** Whose access and connection it uses. */
  readonly session: string;
  waiters: number;
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ApiError && error.status === 503) return error === signal.reason ? "timeout" : "wait";
  if (error instanceof ApiError && error.status === 404) return "gone";
  return signal.aborted ? "aborted" : "failed";
}
