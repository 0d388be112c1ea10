import { LRUCache } from "lru-cache";
import { chunkCacheSeconds } from "../../shared/limits.js";
import { chunkRenewalMs } from "../../shared/media/chunk-cache.js";
import type { ChunkBuffers } from "./chunk-buffers.js";

export interface ChunkName {
  readonly fileKey: string;
  readonly chunk: number;
}

export interface ChunkMemoryOptions {
  /** Limit of all chunks together; 0 keeps none. */
  readonly maxBytes: number;
  /** Receives the memory of chunks that were evicted and are no longer in use. */
  readonly buffers: Pick<ChunkBuffers, "give">;
  /** Called with batches of used chunks whose copy in Redis should be renewed, each at most once in `chunkRenewalMs`. */
  readonly renew: (used: readonly ChunkName[]) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Chunks in this process's memory, evicted by least recent use. A use here renews the copy in Redis in batches every few minutes, so that
 * both are kept for 1 hour after the last use.
 */
export class ChunkMemory {
  private readonly chunks: LRUCache<string, KeptChunk> | undefined;
  private readonly now: () => number;
  private used: ChunkName[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ChunkMemoryOptions) {
    this.now = options.now ?? (() => performance.now());
    const maxSize = options.maxBytes;
    if (maxSize > 0)
      this.chunks = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes.byteLength, dispose: (chunk) => chunk.leave() });
  }

  /** Bytes held now. */
  get size(): number {
    return this.chunks?.calculatedSize ?? 0;
  }

  /** Returns a chunk and counts the use. A different length means another version of the file, so it is a miss. */
  get(fileKey: string, chunk: number, length: number): KeptChunk | undefined {
    const kept = this.chunks?.get(nameOf(fileKey, chunk));
    if (kept === undefined || kept.bytes.length !== length) return undefined;
    const now = this.now();
    if (now - kept.usedAt >= chunkCacheSeconds * 1000) return undefined;
    kept.usedAt = now;
    if (now - kept.renewedAt >= chunkRenewalMs) {
      kept.renewedAt = now;
      this.renewLater({ fileKey, chunk });
    }
    return kept;
  }

  /** Does not count as a use. */
  has(fileKey: string, chunk: number): boolean {
    const kept = this.chunks?.peek(nameOf(fileKey, chunk));
    return kept !== undefined && this.now() - kept.usedAt < chunkCacheSeconds * 1000;
  }

  /** Stores a chunk that was just read from Redis, where the read counted as a use. */
  put(fileKey: string, chunk: number, bytes: Uint8Array): KeptChunk {
    const name = nameOf(fileKey, chunk);
    const kept = new KeptChunk(bytes, this.now(), this.options.buffers);
    this.chunks?.set(name, kept);
    if (this.chunks?.peek(name) !== kept) kept.leave();
    return kept;
  }

  /** Bounded by the chunks held, each of which is in the list once. */
  private renewLater(name: ChunkName): void {
    this.used.push(name);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const { used } = this;
      this.used = [];
      this.options.renew(used);
    }, gatherMs).unref();
  }
}

/** Bytes that stay unchanged until `done` is called (idempotent). Afterwards their memory may be reused and must not be read. */
export interface BorrowedChunk {
  readonly bytes: Uint8Array;
  readonly done: () => void;
}

/**
 * A chunk that may be in use. Its memory is given back when the chunk was evicted and its last user is done. A user who never calls `done`
 * keeps it.
 */
export class KeptChunk {
  renewedAt: number;
  private users = 0;
  private left = false;

  constructor(
    readonly bytes: Uint8Array,
    public usedAt: number,
    private readonly buffers: Pick<ChunkBuffers, "give">,
  ) {
    this.renewedAt = usedAt;
    // Waiters get this chunk in the same turn of the event loop, perhaps after its eviction. Until then it counts as in use.
    const { done } = this.borrow();
    setImmediate(done);
  }

  borrow(): BorrowedChunk {
    this.users++;
    let using = true;
    const done = (): void => {
      if (!using) return;
      using = false;
      this.users--;
      this.giveBack();
    };
    return { bytes: this.bytes, done };
  }

  /** Marks the chunk as evicted. */
  leave(): void {
    this.left = true;
    this.giveBack();
  }

  private giveBack(): void {
    if (this.left && this.users === 0) this.buffers.give(this.bytes);
  }
}

const gatherMs = 500;

function nameOf(fileKey: string, chunk: number): string {
  return `${fileKey}:${chunk}`;
}
