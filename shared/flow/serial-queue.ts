/** Runs pieces of work one after the other, in order of arrival. A failure does not stop the others. */
export class SerialQueue {
  private last: Promise<unknown> = nothing;

  /** Settles as `work` does. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves once all that has come so far has ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}

/** All unused queues share one promise: an account has twenty, and most of them are never used. */
const nothing = Promise.resolve();
