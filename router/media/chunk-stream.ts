import { spansOf, type ChunkSpan } from "../../shared/media/chunk.js";

/** Loads one chunk of the file at hand. */
export type LoadChunk = (chunk: number, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * The bytes `start..end` (inclusive) of a file, chunk by chunk, with one chunk of read-ahead that never leaves the range: at most two
 * chunks are held. Ends with `signal` and with the iterator's `return`; nothing is asked for after that.
 */
export async function* chunkStream(load: LoadChunk, start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    const spans = spansOf(start, end);
    let current = ahead(load, spans, both);
    while (current !== undefined) {
      const chunk = await current.bytes;
      both.throwIfAborted();
      const { from, to } = current.span;
      current = ahead(load, spans, both);
      yield from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to);
    }
  } finally {
    stop.abort(new Error("stream was closed"));
  }
}

/**
 * Takes the first chunk before anything is sent, so that a failure can still become a status. `onEnd` runs when the stream ended,
 * failed, or was closed, even before it was read; it may run more than once.
 */
export async function opened(stream: AsyncIterator<Uint8Array, void, undefined>, onEnd: () => void): Promise<AsyncIterator<Uint8Array, void, undefined>> {
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

function ahead(load: LoadChunk, spans: Iterator<ChunkSpan>, signal: AbortSignal): { span: ChunkSpan; bytes: Promise<Uint8Array> } | undefined {
  const next = spans.next();
  if (next.done === true) return undefined;
  const bytes = load(next.value.chunk, signal);
  // Awaited when its turn comes, or never when the stream is closed first.
  bytes.catch(() => {});
  return { span: next.value, bytes };
}
