import { mediaWaitMs } from "../../shared/limits.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { mediaTimeout } from "../../shared/contract/telegram/errors.js";

/** Where fetched chunks go: the cache that the routers read. */
export interface ChunkStore {
  put(fileKey: string, chunk: number, bytes: Buffer): Promise<void>;
}

/**
 * One fetch per chunk, however many wait for it. A fetch ends after 30 s (`did not answer the media request in time`) or as soon as
 * nobody waits for it any more; its bytes go into the cache, and its waiters learn only how many there are.
 */
export class ChunkSource {
  private readonly running = new Map<string, Fetch>();

  constructor(
    private readonly store: ChunkStore,
    private readonly onFetched: (outcome: string, seconds: number) => void,
    private readonly waitMs = mediaWaitMs,
  ) {}

  /** Fetches in progress. */
  get size(): number {
    return this.running.size;
  }

  /** Resolves with the length of the chunk once it is in the cache. Rejects with the signal's reason when this waiter gives up. */
  async read(fileKey: string, chunk: number, fetch: (signal: AbortSignal) => Promise<Buffer>, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const key = `${fileKey}:${chunk}`;
    const entry = this.running.get(key) ?? this.start(key, fileKey, chunk, fetch);
    entry.waiters++;
    return new Promise<number>((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener("abort", onAbort);
        entry.waiters--;
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
        if (entry.waiters === 0) {
          // A newcomer must not join a fetch that is being given up.
          if (this.running.get(key) === entry) this.running.delete(key);
          entry.control.abort(signal.reason);
        }
      };
      signal.addEventListener("abort", onAbort, { once: true });
      entry.done.then(resolve, reject).finally(() => {
        if (!signal.aborted) leave();
      });
    });
  }

  private start(key: string, fileKey: string, chunk: number, fetch: (signal: AbortSignal) => Promise<Buffer>): Fetch {
    const control = new AbortController();
    const entry: Fetch = { control, waiters: 0, done: this.run(fileKey, chunk, fetch, control) };
    this.running.set(key, entry);
    const forget = (): void => {
      if (this.running.get(key) === entry) this.running.delete(key);
    };
    entry.done.then(forget, forget);
    return entry;
  }

  private async run(fileKey: string, chunk: number, fetch: (signal: AbortSignal) => Promise<Buffer>, control: AbortController): Promise<number> {
    const startedAt = performance.now();
    const timer = setTimeout(() => control.abort(mediaTimeout()), this.waitMs);
    let outcome = "failed";
    try {
      const bytes = await fetch(control.signal);
      await this.store.put(fileKey, chunk, bytes);
      outcome = "ok";
      return bytes.length;
    } catch (error) {
      outcome = outcomeOf(error, control.signal);
      throw error;
    } finally {
      clearTimeout(timer);
      this.onFetched(outcome, (performance.now() - startedAt) / 1000);
    }
  }
}

interface Fetch {
  readonly done: Promise<number>;
  readonly control: AbortController;
  waiters: number;
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ApiError && error.status === 503) return error === signal.reason ? "timeout" : "wait";
  if (error instanceof ApiError && error.status === 404) return "gone";
  return signal.aborted ? "aborted" : "failed";
}
