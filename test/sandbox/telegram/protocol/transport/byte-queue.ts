/**
 * Received bytes in order, read in exact lengths. A packet that spans several TCP segments is copied once; a packet inside one segment is
 * not copied.
 */
export class ByteQueue {
  length = 0;
  private chunks: Buffer[] = [];
  /** Index of the first chunk with unread bytes. */
  private first = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.length += chunk.length;
    // A client that sends single bytes must not create a long list of chunks.
    if (this.chunks.length - this.first > 1_024) this.replaceWith(this.peek(this.length));
  }

  /** Returns the first `count` bytes without removing them. The caller has checked `length`. */
  peek(count: number): Buffer {
    const chunk = this.chunks[this.first];
    if (chunk && chunk.length >= count) return chunk.subarray(0, count);
    return Buffer.concat(this.chunks.slice(this.first), this.length).subarray(0, count);
  }

  /** Removes and returns the first `count` bytes. The caller has checked `length`. */
  take(count: number): Buffer {
    const chunk = this.chunks[this.first];
    if (chunk && chunk.length >= count) {
      this.skip(count);
      return chunk.subarray(0, count);
    }
    const taken = Buffer.allocUnsafe(count);
    for (let filled = 0; filled < count; ) {
      const part = this.chunks[this.first];
      if (!part) throw new RangeError("fewer bytes than asked for");
      const step = Math.min(part.length, count - filled);
      part.copy(taken, filled, 0, step);
      filled += step;
      this.skip(step);
    }
    return taken;
  }

  /** Drops `count` bytes, which the first chunk must contain. */
  private skip(count: number): void {
    const chunk = this.chunks[this.first];
    if (!chunk) return;
    this.length -= count;
    if (count < chunk.length) {
      this.chunks[this.first] = chunk.subarray(count);
      return;
    }
    this.first += 1;
    if (this.first === this.chunks.length) this.replaceWith(Buffer.alloc(0));
  }

  private replaceWith(bytes: Buffer): void {
    this.chunks = bytes.length > 0 ? [bytes] : [];
    this.first = 0;
    this.length = bytes.length;
  }
}
