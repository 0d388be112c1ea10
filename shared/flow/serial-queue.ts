/** Runs one piece of work after another, in the order in which they came. One that fails keeps none of the others from running. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

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
