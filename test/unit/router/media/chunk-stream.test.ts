import { describe, expect, it } from "vitest";
import { chunkStream, opened, type LoadChunk } from "../../../../router/media/chunk-stream.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { chunkLength } from "../../../../router/media/chunk.js";

const size = 5 * chunkBytes + 1234;
const file = Buffer.alloc(size);
for (let index = 0; index < size; index += 4) file.writeUInt32LE((index * 2654435761) >>> 0, Math.min(index, size - 4));

/** `done` receives each released chunk. */
const loadFrom =
  (asked: number[], done: number[] = []): LoadChunk =>
  (chunk, signal) => {
    signal.throwIfAborted();
    asked.push(chunk);
    return Promise.resolve({
      bytes: file.subarray(chunk * chunkBytes, chunk * chunkBytes + chunkLength(size, chunk)),
      done: () => void done.push(chunk),
    });
  };
const never = new AbortController().signal;

describe("chunkStream", () => {
  it("equals the file's slice for 10,000 random ranges, and requests only the touched chunks", async () => {
    const wrong: string[] = [];
    for (let round = 0; round < 10_000; round++) {
      const start = Math.floor(Math.random() * size);
      // Ranges are mostly short to keep ten thousand fast. Every tenth has any length.
      const length = round % 10 === 0 ? size - start : Math.min(size - start, 70_000);
      const end = start + Math.floor(Math.random() * length);
      const asked: number[] = [];
      let position = start;
      for await (const bytes of chunkStream(loadFrom(asked), start, end, never)) {
        if (file.compare(bytes, 0, bytes.length, position, position + bytes.length) !== 0)
          wrong.push(`${start}-${end}: bytes at ${position}`);
        position += bytes.length;
      }
      if (position !== end + 1) wrong.push(`${start}-${end}: ends before ${position}`);
      const first = Math.floor(start / chunkBytes);
      const touched = Array.from({ length: Math.floor(end / chunkBytes) - first + 1 }, (_, index) => first + index);
      if (asked.join() !== touched.join()) wrong.push(`${start}-${end}: asked for ${asked.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it("reads one chunk ahead and no more", async () => {
    const asked: number[] = [];
    const stream = chunkStream(loadFrom(asked), 0, size - 1, never);
    await stream.next();
    expect(asked).toEqual([0, 1]);
    await stream.next();
    expect(asked).toEqual([0, 1, 2]);
    await stream.return();
    expect(asked).toEqual([0, 1, 2]);
  });

  it("aborts the read-ahead when it is closed", async () => {
    const signals: AbortSignal[] = [];
    const load: LoadChunk = (chunk, signal) => {
      signals.push(signal);
      return chunk === 0
        ? loadFrom([])(chunk, never)
        : new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    };
    const stream = chunkStream(load, 0, size - 1, never);
    await stream.next();
    await stream.return();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("ends with its signal", async () => {
    const client = new AbortController();
    const stream = chunkStream(loadFrom([]), 0, size - 1, client.signal);
    await stream.next();
    client.abort(new Error("client left"));
    await expect(stream.next()).rejects.toThrow("client left");
    expect(await stream.next()).toMatchObject({ done: true });
  });

  it("fails where the chunk failed, after the bytes before it", async () => {
    const stream = chunkStream(
      (chunk) => (chunk < 2 ? loadFrom([])(chunk, never) : Promise.reject(new Error("no chunk"))),
      0,
      size - 1,
      never,
    );
    await stream.next();
    await stream.next();
    await expect(stream.next()).rejects.toThrow("no chunk");
  });
});

describe("what is done with", () => {
  it.each<[string, number, (stream: ReturnType<typeof chunkStream>) => Promise<unknown>]>([
    [
      "read to its end",
      6,
      async (stream) => {
        for await (const _ of stream);
      },
    ],
    [
      "closed midway, read-ahead included",
      3,
      async (stream) => {
        await stream.next();
        await stream.next();
        await stream.return();
      },
    ],
    [
      "failed",
      3,
      async (stream) => {
        await stream.next();
        await stream.next();
        await stream.throw(new Error("no")).catch(() => undefined);
      },
    ],
    ["never read", 0, (stream) => stream.return()],
  ])("is told once for each chunk that was loaded: %s", async (_, count, read) => {
    const asked: number[] = [];
    const done: number[] = [];
    const stream = chunkStream(loadFrom(asked, done), 100, size - 1, never);
    await read(stream);
    await new Promise((resolve) => setImmediate(resolve));
    expect([done.length, new Set(done).size, asked.length]).toEqual([count, count, count]);
  });

  it("is not notified of chunks that the reader still holds", async () => {
    const done: number[] = [];
    const stream = chunkStream(loadFrom([], done), 0, size - 1, never);
    await stream.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual([]);
    await stream.next();
    expect(done).toEqual([0]);
  });
});

describe("opened", () => {
  it("fails at once when the first chunk fails", async () => {
    let ended = 0;
    await expect(
      opened(
        chunkStream(() => Promise.reject(new Error("no")), 0, 10, never),
        () => ended++,
      ),
    ).rejects.toThrow("no");
    expect(ended).toBe(1);
  });

  it("returns the first chunk first, and reports the end", async () => {
    let ended = 0;
    const stream = await opened(chunkStream(loadFrom([]), 0, chunkBytes, never), () => ended++);
    const lengths: number[] = [];
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) lengths.push(next.value.length);
    expect(lengths).toEqual([chunkBytes, 1]);
    expect(ended).toBe(1);
  });

  it("ends the stream when it is closed before it was read", async () => {
    let ended = 0;
    const signals: AbortSignal[] = [];
    const load: LoadChunk = (chunk, signal) => (signals.push(signal), loadFrom([])(chunk, signal));
    const stream = await opened(chunkStream(load, 0, size - 1, never), () => ended++);
    await stream.return?.();
    expect(ended).toBe(1);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(await stream.next()).toMatchObject({ done: true });
  });
});
