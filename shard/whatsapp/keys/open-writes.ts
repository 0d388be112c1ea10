import { ConnectionLost } from "../network/connection-error.js";

/** Writes that the store has not answered, until their end: from then on there are no others. */
export class OpenWrites {
  private readonly open = new Set<Promise<void>>();
  private ended = false;

  /** Throws `ConnectionLost` after the end, without a write. */
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

  /** Resolves when nothing is being written any more. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.allSettled(this.open);
  }
}
