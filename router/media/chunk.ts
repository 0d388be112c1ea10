import { chunkBytes } from "../../shared/limits.js";

/** The bytes `[from, to)` of chunk `chunk`, counted from the chunk's first byte. */
export interface ChunkSpan {
  readonly chunk: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the chunks that the byte range `start..end` (both inclusive, inside the file) touches, in order. Lazy, because a file may have
 * thousands.
 */
export function* spansOf(start: number, end: number): Generator<ChunkSpan> {
  for (let chunk = chunkOf(start); chunk <= chunkOf(end); chunk++) {
    const first = chunk * chunkBytes;
    yield { chunk, from: Math.max(start - first, 0), to: Math.min(end - first + 1, chunkBytes) };
  }
}

/** Returns the number of the chunk that holds a byte. */
export function chunkOf(position: number): number {
  return Math.floor(position / chunkBytes);
}

/** Returns the length of a chunk: `chunkBytes`, less for the last one, 0 past the end. */
export function chunkLength(size: number, chunk: number): number {
  return Math.max(0, Math.min(chunkBytes, size - chunk * chunkBytes));
}
