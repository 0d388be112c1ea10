/** Memory that no threads share: some readers of the queue refuse shared memory. */
type OwnBytes = Buffer<ArrayBuffer>;

/** Bytes from a socket, returned in exact lengths to one reader. Chunks are joined only when a read spans them. */
export class ByteQueue {
  private chunks: OwnBytes[] = [];
  private length = 0;
  private ended = false;
  private reader: { count: number; resolve: (bytes: OwnBytes) => void; reject: (error: Error) => void } | undefined;

  /** Number of bytes that no reader waits for. */
  get spare(): number {
    return this.reader === undefined ? this.length : 0;
  }

  push(bytes: OwnBytes): void {
    this.chunks.push(bytes);
    this.length += bytes.length;
    const { reader } = this;
    if (reader !== undefined && this.length >= reader.count) {
      this.reader = undefined;
      reader.resolve(this.cut(reader.count));
    }
  }

  /** Resolves with exactly `count` bytes; rejects when the queue ends earlier. */
  take(count: number): Promise<OwnBytes> {
    if (this.length >= count) return Promise.resolve(this.cut(count));
    if (this.ended) return Promise.reject(new Error("connection is closed"));
    return new Promise((resolve, reject) => {
      this.reader = { count, resolve, reject };
    });
  }

  end(): void {
    this.ended = true;
    this.reader?.reject(new Error("connection is closed"));
    this.reader = undefined;
  }

  private cut(count: number): OwnBytes {
    const first = this.chunks[0];
    this.length -= count;
    if (first !== undefined && first.length > count) {
      this.chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const taken: OwnBytes[] = [];
    let missing = count;
    let used = 0;
    for (const chunk of this.chunks) {
      if (missing === 0) break;
      if (chunk.length > missing) {
        taken.push(chunk.subarray(0, missing));
        this.chunks[used] = chunk.subarray(missing);
        missing = 0;
      } else {
        taken.push(chunk);
        used++;
        missing -= chunk.length;
      }
    }
    this.chunks.splice(0, used);
    return taken.length === 1 && taken[0] !== undefined ? taken[0] : Buffer.concat(taken, count);
  }
}
