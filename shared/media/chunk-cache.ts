import { chunkCacheSeconds } from "../limits.js";
import { storeHash } from "../redis/bulk-writer.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";

/** Fields to read from a hash, and its new lifetime. */
export interface BulkRead {
  readonly key: string;
  readonly fields: readonly string[];
  /** Length of all fields together, in bytes. */
  readonly length: number;
  readonly lifetimeSeconds: number;
  /** Returns memory for `length` bytes with any content; default: new memory. The memory of a failed read is never given back. */
  readonly allocate?: (length: number) => Buffer;
}

/** Optional faster connections for long values. The general connection reads keys that they cannot read. */
export interface BulkReads {
  /** The connection to the server that has this key, as far as is known now. */
  at(key: string): BulkRoute | undefined;
}

export interface BulkRoute {
  /**
   * Returns the fields joined in a new buffer and renews the key's lifetime; `undefined` if a
   * field is missing or the length differs; `movedAway` if another server holds the key now.
   */
  read(read: BulkRead): Promise<Buffer | typeof movedAway | undefined>;
}

export const movedAway = Symbol("moved away");

/**
 * Chunks of media files in the cache Redis, for an hour after their last use (variant B, "Limits").
 *
 * A chunk is a hash of two fields, `a` (the first 524,224 bytes) and `b` (the rest): one value of 512 KiB crosses a size
 * class of Redis' allocator and costs 25 % more.
 */
export class ChunkCache {
  /** `bulk` reads chunks of known length where it leads to them. */
  constructor(
    private readonly redis: RedisClient,
    private readonly bulk?: BulkReads,
  ) {}

  /**
   * Returns the bytes and extends the lifetime by an hour, in one round trip. A chunk whose length
   * is not `expectedLength` is a miss. `allocate` may provide the memory.
   */
  async get(fileKey: string, chunk: number, expectedLength?: number, allocate?: (length: number) => Buffer): Promise<Buffer | undefined> {
    const key = keys.chunk(fileKey, chunk);
    const bulkReader = expectedLength === undefined ? undefined : this.bulk?.at(key);
    if (bulkReader !== undefined && expectedLength !== undefined) {
      const read = await bulkReader.read({
        key,
        fields: fieldNames,
        length: expectedLength,
        lifetimeSeconds,
        ...(allocate && { allocate }),
      });
      if (read !== movedAway) return read;
    }
    const [fields] = await allReplies([this.redis.hmgetBuffer(key, ...fieldNames), this.redis.expire(key, lifetimeSeconds)]);
    const bytes = joined(fields);
    return bytes !== undefined && (expectedLength === undefined || bytes.length === expectedLength) ? bytes : undefined;
  }

  /** `bytes` is not copied, so it must not change until the write is done. */
  async put(fileKey: string, chunk: number, bytes: Uint8Array): Promise<void> {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [a, b] = fieldNames;
    // One transaction: a reader never sees a new `a` beside an old `b`, and no chunk is left without its hour.
    await storeHash(
      this.redis,
      keys.chunk(fileKey, chunk),
      [
        [a, all.subarray(0, firstFieldBytes)],
        [b, all.subarray(firstFieldBytes)],
      ],
      lifetimeSeconds,
    );
  }

  /** Returns the length of a cached chunk and renews its hour; 0 if it is not cached. */
  async length(fileKey: string, chunk: number): Promise<number> {
    const key = keys.chunk(fileKey, chunk);
    const [a, b] = await Promise.all([this.redis.hstrlen(key, "a"), this.redis.hstrlen(key, "b"), this.redis.expire(key, lifetimeSeconds)]);
    return a + b;
  }

  /** Returns true if all these chunks are cached, and renews their hour for the reads that follow. */
  async has(fileKey: string, chunks: readonly number[]): Promise<boolean> {
    for (let from = 0; from < chunks.length; from += batch) {
      const part = chunks.slice(from, from + batch).map((chunk) => this.redis.expire(keys.chunk(fileKey, chunk), lifetimeSeconds));
      const found = await Promise.allSettled(part);
      if (!found.every((one) => one.status === "fulfilled" && one.value === 1)) return false;
    }
    return true;
  }

  /** Renews the hour of chunks that a router serves from its memory. A chunk that Redis has dropped is not restored. */
  async renew(used: readonly { readonly fileKey: string; readonly chunk: number }[]): Promise<void> {
    for (let from = 0; from < used.length; from += batch) {
      const part = used.slice(from, from + batch);
      await allReplies(part.map(({ fileKey, chunk }) => this.redis.expire(keys.chunk(fileKey, chunk), lifetimeSeconds)));
    }
  }
}

/** How often, at most, a router renews a chunk here that it serves from its own memory. */
export const chunkRenewalMs = 5 * 60_000;
/** Longer by one renewal, so that a chunk is there for an hour after its last use, wherever that was. */
const lifetimeSeconds = chunkCacheSeconds + chunkRenewalMs / 1000 + 1;
const fieldNames = ["a", "b"] as const;
const firstFieldBytes = 524_224;
/** Number of keys per round trip; a whole video has thousands of chunks. */
const batch = 256;

async function allReplies<const Replies extends readonly unknown[]>(
  calls: Replies,
): Promise<{ -readonly [I in keyof Replies]: Awaited<Replies[I]> }> {
  try {
    return await Promise.all(calls);
  } catch (error) {
    throw new Error("chunk cache does not answer", { cause: error });
  }
}

function joined([a, b]: readonly (Buffer | null)[]): Buffer | undefined {
  // Always a copy: what Redis sent may be a slice of a larger network buffer, and a cache that keeps it would keep that too.
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? Buffer.concat([a, b]) : undefined;
}
