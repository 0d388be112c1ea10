import { chunkBytes } from "../../shared/limits.js";

/**
 * Reuses the memory of whole chunks: fresh memory for each would cost several times the read itself (bench/findings.md). Giving back is
 * optional, and the buffer must not be used after it.
 */
export class ChunkBuffers {
  private readonly free: Buffer[] = [];
  /** Buffers that are taken and not given back. */
  private readonly out = new WeakSet<Uint8Array>();

  /** Returns a buffer with arbitrary content. */
  take(length: number): Buffer {
    if (length !== chunkBytes) return Buffer.allocUnsafeSlow(length);
    const buffer = this.free.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
    this.out.add(buffer);
    return buffer;
  }

  /** Takes a buffer back. Ignores buffers from elsewhere and repeated calls. */
  give(bytes: Uint8Array): void {
    if (!Buffer.isBuffer(bytes) || !this.out.delete(bytes)) return;
    if (this.free.length < freeMax) this.free.push(bytes);
  }
}

/** 16 MiB. */
const freeMax = 32;
