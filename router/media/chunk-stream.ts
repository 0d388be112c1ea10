import { spansOf, type ChunkSpan } from "./chunk.js";
import type { BorrowedChunk } from "./chunk-memory.js";

/** Loads one chunk of the file. */
export type LoadChunk = (chunk: number, signal: AbortSignal) => Promise<BorrowedChunk>;

/**
 * Streams the bytes `start..end` (inclusive) with one chunk of read-ahead inside the range, so at most two chunks are held. A yielded
 * chunk is released when the next one is requested or the stream is closed.
 */
export async function* chunkStream(
  load: LoadChunk,
  start: number,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  // One controller and one listener, because `AbortSignal.any` costs 30 us per stream (bench media-warm).
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let held: BorrowedChunk | undefined;
  const spans = spansOf(start, end);
  let coming = ahead(load, spans, stop.signal);
  try {
    while (coming !== undefined) {
      const { from, to } = coming.span;
      held = await coming.chunk;
      coming = undefined;
      stop.signal.throwIfAborted();
      coming = ahead(load, spans, stop.signal);
      const { bytes } = held;
      yield from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
      held.done();
      held = undefined;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.abort(streamClosed);
    held?.done();
    // Releases a chunk that was loaded ahead and not read.
    coming?.chunk.then(
      ({ done }) => done(),
      () => {},
    );
  }
}

const streamClosed = new Error("stream was closed");

/**
 * Reads the first chunk before anything is sent, so that a failure can still become a status. `onEnd` runs when the stream ends, fails or
 * is closed, even before it was read. It may run more than once.
 */
export async function opened(
  stream: AsyncIterator<Uint8Array, void, undefined>,
  onEnd: () => void,
): Promise<AsyncIterator<Uint8Array, void, undefined>> {
  const next = async (): Promise<IteratorResult<Uint8Array, void>> => {
    try {
      const result = await stream.next();
      if (result.done === true) onEnd();
      return result;
    } catch (error) {
      onEnd();
      throw error;
    }
  };
  let first: IteratorResult<Uint8Array, void> | undefined = await next();
  return {
    async next() {
      const taken = first;
      first = undefined;
      return taken ?? (await next());
    },
    async return() {
      onEnd();
      first = undefined;
      return (await stream.return?.()) ?? { done: true, value: undefined };
    },
  };
}

function ahead(
  load: LoadChunk,
  spans: Iterator<ChunkSpan>,
  signal: AbortSignal,
): { span: ChunkSpan; chunk: Promise<BorrowedChunk> } | undefined {
  const next = spans.next();
  if (next.done === true) return undefined;
  const chunk = load(next.value.chunk, signal);
  // The promise is awaited later, or never if the stream is closed first.
  chunk.catch(() => {});
  return { span: next.value, chunk };
}
