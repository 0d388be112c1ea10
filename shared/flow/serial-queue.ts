/** Runs pieces of work one after the other, in order of arrival. A failure does not stop the others. */
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
