import { LRUCache } from "lru-cache";
import { chunkCacheSeconds } from "../../shared/limits.js";
import { chunkRenewalMs } from "../../shared/media/chunk-cache.js";
import type { ChunkBuffers } from "./chunk-buffers.js";

export interface ChunkName {
  readonly fileKey: string;
  readonly chunk: number;
}

export interface ChunkMemoryOptions {
  /** Bound of all chunks together; 0 keeps none. */
  readonly maxBytes: number;
  /** Gets the memory of chunks that have left here and that nobody uses any more. */
  readonly buffers: Pick<ChunkBuffers, "give">;
  /** Chunks that were used here and whose other copy shall know it; each comes at most once in `chunkRenewalMs`, many at a time. */
  readonly renew: (used: readonly ChunkName[]) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Chunks in this process's memory, the least recently used leave first. "Cached for 1 hour after last use" holds for a copy here, and for the copy in
 * Redis, although a use here costs no write there: a used chunk is renewed there every few minutes, in batches.
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

  /** A use. A chunk of another length than `length` is one of another state of the file: a miss. */
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

  /** No use. */
  has(fileKey: string, chunk: number): boolean {
    const kept = this.chunks?.peek(nameOf(fileKey, chunk));
    return kept !== undefined && this.now() - kept.usedAt < chunkCacheSeconds * 1000;
  }

  /** Of a chunk that has just come from Redis, which counted it as used. */
  put(fileKey: string, chunk: number, bytes: Uint8Array): KeptChunk {
    const name = nameOf(fileKey, chunk);
    const kept = new KeptChunk(bytes, this.now(), this.options.buffers);
    this.chunks?.set(name, kept);
    if (this.chunks?.peek(name) !== kept) kept.leave();
    return kept;
  }

  /** Bounded by the chunks held: each is in here once. */
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

/** Bytes that stay what they are until `done` is called, which may be more than once. Their memory may be another chunk's afterwards: nobody may look at them then. */
export interface BorrowedChunk {
  readonly bytes: Uint8Array;
  readonly done: () => void;
}

/** A chunk that somebody may be sending. Its memory is given back when it has left and the last user is done with it; a user who never says so keeps it. */
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
    // Whoever waits for this chunk learns of it in this turn of the event loop, perhaps after it has left again: until then it is in use.
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

  /** Nobody else will find it from now on. */
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
