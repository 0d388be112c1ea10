import { chunkBytes } from "../../shared/limits.js";

/**
 * Memory of whole chunks, used again. With a fresh half megabyte for each chunk the garbage collector would search the whole heap every hundred chunks,
 * because it counts memory outside of the heap too, and the kernel would clear every page anew. Together that costs several times what reading the chunk does
 * (bench/findings.md).
 *
 * Giving back is optional: what is not given back is collected as usual. Who gives back must be the last to look at it.
 */
export class ChunkBuffers {
  private readonly free: Buffer[] = [];
  /** Taken and not given back. */
  private readonly out = new WeakSet<Uint8Array>();

  /** Its content is anything. */
  take(length: number): Buffer {
    if (length !== chunkBytes) return Buffer.allocUnsafeSlow(length);
    const buffer = this.free.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
    this.out.add(buffer);
    return buffer;
  }

  /** What is not from here, or was given back before, is left alone. */
  give(bytes: Uint8Array): void {
    if (!Buffer.isBuffer(bytes) || !this.out.delete(bytes)) return;
    if (this.free.length < freeMax) this.free.push(bytes);
  }
}

/** 16 MiB. */
const freeMax = 32;
