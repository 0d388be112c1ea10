import { beforeEach, describe, expect, it } from "vitest";
import { ChunkLoader, MediaChangedError, type MediaFile } from "../../../../router/media/chunk-loader.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { mediaTimeout } from "../../../../shared/contract/telegram/errors.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { LocalChunks } from "../../../../shared/media/local-chunks.js";

/** Chunks that the shard of the same process fetches. */
describe("ChunkLoader beside a shard", () => {
  const size = 2 * chunkBytes + 100;
  const content = (chunk: number): Buffer => Buffer.alloc(chunk === 2 ? 100 : chunkBytes, 65 + chunk);
  const never = new AbortController().signal;
  let cached: Map<number, Buffer>;
  let reads: number[];
  let local: LocalChunks;
  /** What the shard offers; `undefined` when it is in another process. */
  let offers: (chunk: number) => Buffer | undefined;
  let sources: string[];

  beforeEach(() => {
    [cached, reads, local, offers, sources] = [new Map(), [], new LocalChunks(), content, []];
  });

  const loader = (memoryBytes: number): ChunkLoader =>
    new ChunkLoader({
      store: {
        get: (_, chunk) => Promise.resolve((reads.push(chunk), cached.get(chunk))),
        has: () => Promise.resolve(false),
        length: () => Promise.resolve(0),
        renew: () => Promise.resolve(),
      },
      local,
      metrics: { chunkLoaded: (source) => void sources.push(source), readAhead: () => undefined, memoryBytes: () => undefined },
      log: silentLog,
      memoryBytes,
    });
  const file: MediaFile = {
    session: newSessionId(Date.now()),
    address: { chatId: "-100123", messageId: "42", variant: "file" },
    description: { size, mimetype: "video/mp4", etag: "v1", fileKey: "0123456789abcdef", name: "film.mp4" },
    requestId: "r",
    source: {
      readChunk: (_, { fileKey, chunk }) => {
        const offered = offers(chunk);
        if (offered !== undefined) local.offer(fileKey, chunk, offered);
        cached.set(chunk, content(chunk));
        return Promise.resolve({ length: (offered ?? content(chunk)).length });
      },
      timeout: mediaTimeout,
    },
  };

  it("takes the bytes from the shard and does not read them back from the cache", async () => {
    const borrowed = await loader(64 * 1024 * 1024).borrow(file, 0, never);
    expect(Buffer.from(borrowed.bytes).equals(content(0))).toBe(true);
    expect(reads).toEqual([0]); // Before the fetch.
    expect(sources).toEqual(["shard"]);
  });

  it("has a chunk that was fetched ahead in memory", async () => {
    const chunks = loader(64 * 1024 * 1024);
    await chunks.fetchAhead(file, 1, never);
    expect(Buffer.from(chunks.atHand(file.description, 1)?.bytes ?? []).equals(content(1))).toBe(true);
    expect(reads).toEqual([]);
  });

  it("reads the cache if the session's shard is in another process, or the memory has evicted the chunk", async () => {
    const without = loader(0);
    expect(Buffer.from((await without.borrow(file, 0, never)).bytes).equals(content(0))).toBe(true);
    offers = () => undefined;
    cached.clear();
    expect(Buffer.from((await loader(64 * 1024 * 1024).borrow(file, 1, never)).bytes).equals(content(1))).toBe(true);
    expect(reads).toEqual([0, 0, 1, 1]);
  });

  it("keeps no network buffer for a small chunk, and no chunk of another length", async () => {
    const packet = Buffer.alloc(64 * 1024, 67);
    offers = () => packet.subarray(500, 600);
    const chunks = loader(64 * 1024 * 1024);
    const { bytes } = await chunks.borrow(file, 2, never);
    expect(Buffer.from(bytes).equals(content(2))).toBe(true);
    expect(bytes.buffer.byteLength).toBe(100);
    offers = () => packet;
    await expect(chunks.borrow(file, 1, never)).rejects.toBeInstanceOf(MediaChangedError);
    expect(chunks.atHand(file.description, 1)).toBeUndefined();
  });
});
