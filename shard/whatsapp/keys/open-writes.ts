import { ConnectionLost } from "../network/connection-error.js";

/** Tracks pending writes until `end`, which refuses further ones. */
export class OpenWrites {
  private readonly open = new Set<Promise<void>>();
  private ended = false;

  /** Runs a write. After `end` it throws `ConnectionLost` without writing. */
  async run(write: () => Promise<void>): Promise<void> {
    if (this.ended) throw new ConnectionLost(undefined);
    const writing = write();
    this.open.add(writing);
    try {
      await writing;
    } finally {
      this.open.delete(writing);
    }
  }

  /** Refuses further writes. Resolves when the pending ones are done. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.allSettled(this.open);
  }
}
