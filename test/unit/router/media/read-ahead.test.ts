import { describe, expect, it } from "vitest";
import type { MediaFile } from "../../../../router/media/chunk-loader.js";
import type { BorrowedChunk } from "../../../../router/media/chunk-memory.js";
import { chunkStream } from "../../../../router/media/chunk-stream.js";
import { ReadAhead, type ChunkPort } from "../../../../router/media/read-ahead.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { chunkBytes } from "../../../../shared/limits.js";

const size = 20 * chunkBytes;
const file: MediaFile = {
  session: newSessionId(0),
  address: { chatId: "1", messageId: "1", variant: "file" },
  description: { size, mimetype: "video/mp4", etag: "e", fileKey: "f", name: "" },
  requestId: "r",
  source: { readChunk: () => Promise.reject(new Error("the loader has its own chunks")), timeout: () => new ApiError(503, "late") },
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A loader that records its calls. Chunks below `cached` need no request to the platform. */
class Loader implements ChunkPort {
  readonly loads: number[] = [];
  readonly aheads: number[] = [];
  readonly signals: AbortSignal[] = [];
  readonly counts: Record<string, number> = {};

  constructor(
    private readonly cached = 0,
    private readonly never = Number.POSITIVE_INFINITY,
  ) {}

  async borrow(_file: MediaFile, chunk: number, _signal: AbortSignal, onMiss?: () => void): Promise<BorrowedChunk> {
    this.loads.push(chunk);
    if (chunk >= this.cached) onMiss?.();
    return { bytes: new Uint8Array(chunkBytes), done: () => undefined };
  }

  async fetchAhead(_file: MediaFile, chunk: number, signal: AbortSignal): Promise<void> {
    this.aheads.push(chunk);
    this.signals.push(signal);
    if (chunk >= this.never) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  }

  stream(start: number, end: number, whole = false): AsyncGenerator<Uint8Array, void, undefined> {
    const metrics = { readAhead: (outcome: string, chunks: number) => void (this.counts[outcome] = (this.counts[outcome] ?? 0) + chunks) };
    const ahead = new ReadAhead({ loader: this, file, last: Math.floor(end / chunkBytes), whole, metrics });
    return chunkStream((chunk, signal) => ahead.load(chunk, signal), start, end, new AbortController().signal);
  }
}

describe("ReadAhead", () => {
  it("requests nothing beyond a range of one chunk", async () => {
    const loader = new Loader();
    for await (const _ of loader.stream(3 * chunkBytes, 4 * chunkBytes - 1)) await settled();
    expect([loader.loads, loader.aheads]).toEqual([[3], []]);
  });

  it("grows with every chunk that is read on to, to four at once", async () => {
    const loader = new Loader();
    const stream = loader.stream(0, size - 1);
    const asked: number[] = [];
    for (let taken = 0; taken < 8; taken++) {
      await stream.next();
      await settled();
      asked.push(Math.max(-1, ...loader.aheads));
    }
    // After the first chunk the stream itself loads the second, so the read-ahead starts one chunk further.
    expect(asked).toEqual([-1, 3, 5, 7, 8, 9, 10, 11]);
    expect(loader.loads).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(loader.aheads).size).toBe(loader.aheads.length);
  });

  it("begins at once when the whole file is wanted", async () => {
    const loader = new Loader();
    const stream = loader.stream(0, size - 1, true);
    await stream.next();
    expect(loader.aheads).toEqual([2]);
    await stream.next();
    expect(loader.aheads).toEqual([2, 3, 4]);
  });

  it("never leaves the range, and wastes nothing when it is read to its end", async () => {
    const loader = new Loader();
    for await (const _ of loader.stream(chunkBytes + 5, 9 * chunkBytes + 4, true)) await settled();
    expect(loader.loads).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.max(...loader.aheads)).toBe(9);
    expect(loader.counts).toEqual({ used: loader.aheads.length });
  });

  it("requests nothing from the platform while chunks come from a cache", async () => {
    const loader = new Loader(6);
    const stream = loader.stream(0, size - 1, true);
    for (let taken = 0; taken < 5; taken++) await stream.next();
    await settled();
    expect(loader.aheads).toEqual([]);
    for (let taken = 0; taken < 4; taken++) await stream.next();
    expect(loader.aheads.length).toBeGreaterThan(0);
  });

  it("gives up what is coming when the stream is closed, and counts what was for nothing", async () => {
    const loader = new Loader(0, 6);
    const stream = loader.stream(0, size - 1);
    for (let taken = 0; taken < 4; taken++) {
      await stream.next();
      await settled();
    }
    expect(loader.aheads).toEqual([3, 4, 5, 6, 7]);
    const before = loader.aheads.length;
    await stream.return();
    await settled();
    expect(loader.signals.every(({ aborted }) => aborted)).toBe(true);
    expect(loader.aheads.length).toBe(before);
    expect(loader.counts).toEqual({ used: 2, unused: 1, aborted: 2 });
  });
});
