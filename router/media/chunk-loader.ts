import type { SessionId } from "../../shared/contract/ids.js";
import type { MediaAddress, MediaDescription, ReadChunkOutput } from "../../shared/contract/media.js";
import type { Log } from "../../shared/log/logger.js";
import { chunkLength } from "./chunk.js";
import { ChunkBuffers } from "./chunk-buffers.js";
import { ChunkMemory, type BorrowedChunk, type ChunkName, type KeptChunk } from "./chunk-memory.js";
import type { MediaSource } from "./media-source.js";
import { SingleFlight } from "../../shared/flow/single-flight.js";

/** One file as one session reaches it, for one request. */
export interface MediaFile {
  readonly session: SessionId;
  readonly address: MediaAddress;
  readonly description: MediaDescription;
  readonly requestId: string;
  readonly source: MediaSource;
}

/** The part of the chunk cache that is used here. */
export interface ChunkStore {
  /** `allocate` provides the memory for a text of this length. A store may use its own. */
  get(fileKey: string, chunk: number, expectedLength?: number, allocate?: (length: number) => Buffer): Promise<Uint8Array | undefined>;
  has(fileKey: string, chunks: readonly number[]): Promise<boolean>;
  /** Returns the length of a cached chunk; 0 if it is not cached. */
  length(fileKey: string, chunk: number): Promise<number>;
  /** Extends the lifetime of chunks that were used outside this store to a new hour. */
  renew(chunks: readonly ChunkName[]): Promise<void>;
}

/** Chunks that the shard of this process fetches. */
export interface LocalChunkPort {
  /** Calls `take` with the chunk's bytes, unless the returned function is called before. */
  expect(fileKey: string, chunk: number, take: (bytes: Uint8Array) => void): () => void;
}

export interface ChunkMetrics {
  /** Counts a chunk by its source. */
  chunkLoaded(source: "memory" | "redis" | "shard"): void;
  /** Counts chunks of the read-ahead: used, fetched but not used, or aborted before they arrived. */
  readAhead(outcome: "used" | "unused" | "aborted", chunks: number): void;
  memoryBytes(bytes: number): void;
}

export interface ChunkLoaderOptions {
  readonly store: ChunkStore;
  readonly local?: LocalChunkPort | undefined;
  readonly metrics: ChunkMetrics;
  readonly log: Log;
  /** Limit of the memory cache; 0 turns it off. */
  readonly memoryBytes: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** The file's bytes no longer match its description, so a body that has begun cannot continue. */
export class MediaChangedError extends Error {
  override readonly name = "MediaChangedError";
}

/**
 * Finds chunks in this process's memory, then in the cache Redis, then through the session's shard, which fills the cache. Concurrent
 * requests of a session for one chunk share one load.
 */
export class ChunkLoader {
  private readonly buffers = new ChunkBuffers();
  private readonly memory: ChunkMemory;
  private readonly loads = new SingleFlight<Found>();
  private readonly receipts = new SingleFlight<void>();

  private readonly allocate = (length: number): Buffer => this.buffers.take(length);

  constructor(private readonly options: ChunkLoaderOptions) {
    const { memoryBytes, now } = options;
    this.memory = new ChunkMemory({
      maxBytes: memoryBytes,
      buffers: this.buffers,
      renew: (used) => void this.renew(used),
      ...(now === undefined ? {} : { now }),
    });
  }

  /** Returns a chunk from this process's memory, or `undefined`. */
  atHand(description: Pick<MediaDescription, "fileKey" | "size">, chunk: number): BorrowedChunk | undefined {
    const kept = this.memory.get(description.fileKey, chunk, chunkLength(description.size, chunk));
    if (kept !== undefined) this.options.metrics.chunkLoaded("memory");
    return kept?.borrow();
  }

  /**
   * Resolves with one chunk. Rejects with the document's errors, with `MediaChangedError`, or when `signal` aborts. `onMiss` is called,
   * perhaps twice, when the platform must be used.
   */
  async borrow(file: MediaFile, chunk: number, signal: AbortSignal, onMiss?: () => void): Promise<BorrowedChunk> {
    return this.atHand(file.description, chunk) ?? (await this.find(file, chunk, signal, onMiss)).borrow();
  }

  /** The caller must borrow the chunk in the same turn in which this wait ends. */
  private async find(file: MediaFile, chunk: number, signal: AbortSignal, onMiss: (() => void) | undefined): Promise<KeptChunk> {
    const { kept, source } = await this.loads.join(callKey(file, chunk), (shared) => this.fetch(file, chunk, shared, onMiss), signal);
    // A request that joined another's load has not had its own `onMiss` called yet.
    if (source === "shard") onMiss?.();
    return kept;
  }

  /**
   * Makes the shard put a chunk into the cache Redis for a later `borrow`. Transfers no bytes here, unless this process's own shard fetches
   * them. Rejects as `borrow` does. The fetch stops when `signal` aborts for all who want the chunk.
   */
  async fetchAhead(file: MediaFile, chunk: number, signal: AbortSignal): Promise<void> {
    if (this.memory.has(file.description.fileKey, chunk)) return;
    await this.receipt(file, chunk, signal);
  }

  /** Resolves with true if all these chunks are available without the shard. */
  async hasAll({ description: { fileKey } }: MediaFile, chunks: Iterable<number>): Promise<boolean> {
    const missing = [...chunks].filter((chunk) => !this.memory.has(fileKey, chunk));
    return missing.length === 0 || (await this.options.store.has(fileKey, missing));
  }

  private async fetch(file: MediaFile, chunk: number, signal: AbortSignal, onMiss: (() => void) | undefined): Promise<Found> {
    const { fileKey, size } = file.description;
    const expected = chunkLength(size, chunk);
    // A chunk that is being fetched is not in the cache yet.
    if (!this.receipts.has(callKey(file, chunk))) {
      const cached = await this.cached(fileKey, chunk, expected);
      if (cached !== undefined) return this.keep(fileKey, chunk, cached, "redis");
    }
    // The receipt says that the chunk is in the cache. If it was evicted since, it is fetched once more.
    for (let attempt = 1; attempt <= 2; attempt++) {
      const receipt = this.receipt(file, chunk, signal);
      onMiss?.();
      await receipt;
      const handed = this.memory.get(fileKey, chunk, expected);
      if (handed !== undefined) return this.counted(handed, "shard");
      const bytes = await this.cached(fileKey, chunk, expected);
      if (bytes !== undefined) return this.keep(fileKey, chunk, bytes, "shard");
    }
    throw file.source.timeout();
  }

  /** Resolves when the shard reports that the chunk is in the cache. All streams and read-aheads share one call. */
  private async receipt(file: MediaFile, chunk: number, signal: AbortSignal): Promise<void> {
    const { session, address, description, requestId, source } = file;
    const { fileKey, etag } = description;
    const expected = chunkLength(description.size, chunk);
    const fetchChunk = async (shared: AbortSignal): Promise<void> => {
      const input = { ...address, fileKey, etag, chunk, length: expected };
      const length = await this.handed(fileKey, chunk, expected, () => source.readChunk(session, input, shared, requestId));
      if (length !== expected) throw new MediaChangedError(`chunk ${chunk} has ${length} bytes instead of ${expected}`);
    };
    await this.receipts.join(callKey(file, chunk), fetchChunk, signal);
  }

  /** Takes the bytes into the memory at once if this process's own shard fetches them. */
  private async handed(fileKey: string, chunk: number, expected: number, read: () => Promise<ReadChunkOutput>): Promise<number> {
    const stop = this.options.local?.expect(fileKey, chunk, (bytes) => {
      if (bytes.length === expected) this.put(fileKey, chunk, separate(bytes));
    });
    try {
      return (await read()).length;
    } finally {
      stop?.();
    }
  }

  private keep(fileKey: string, chunk: number, bytes: Uint8Array, source: "redis" | "shard"): Found {
    return this.counted(this.put(fileKey, chunk, bytes), source);
  }

  private counted(kept: KeptChunk, source: "redis" | "shard"): Found {
    this.options.metrics.chunkLoaded(source);
    return { kept, source };
  }

  private put(fileKey: string, chunk: number, bytes: Uint8Array): KeptChunk {
    const kept = this.memory.put(fileKey, chunk, bytes);
    this.options.metrics.memoryBytes(this.memory.size);
    return kept;
  }

  /** Best effort: a chunk that is not renewed may have to be fetched again. */
  private async renew(used: readonly ChunkName[]): Promise<void> {
    try {
      await this.options.store.renew(used);
    } catch (error) {
      this.options.log.warn({ err: error }, "chunk renewal failed");
    }
  }

  /** A failing cache counts as a miss, because the shard may still serve. */
  private async cached(fileKey: string, chunk: number, expectedLength: number): Promise<Uint8Array | undefined> {
    try {
      return await this.options.store.get(fileKey, chunk, expectedLength, this.allocate);
    } catch (error) {
      this.options.log.warn({ err: error }, "chunk cache read failed");
      return undefined;
    }
  }
}

interface Found {
  readonly kept: KeptChunk;
  readonly source: "redis" | "shard";
}

/** A small chunk may be a slice of a network buffer, which the memory must not keep for it. */
function separate(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > 2 * bytes.length ? Uint8Array.from(bytes) : bytes;
}

/** Keyed by session too: lost access of one session must not fail another's download of the same file. */
function callKey({ session, description }: MediaFile, chunk: number): string {
  return `${session}:${description.fileKey}:${chunk}`;
}
