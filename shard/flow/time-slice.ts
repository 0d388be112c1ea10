/**
 * Lets the event loop have its turn when one piece of work has held it for `sliceMs`. Libraries that do thousands of small asynchronous
 * steps without any real wait would otherwise stop every other session of the process for seconds.
 */
export class TimeSlice {
  private since = performance.now();
  private yielding: Promise<void> | undefined;

  constructor(private readonly sliceMs: number) {}

  /** Resolves at once while the slice lasts, else in the next turn of the event loop. */
  async yieldWhenSpent(): Promise<void> {
    if (performance.now() - this.since < this.sliceMs) return;
    this.yielding ??= new Promise<void>((resolve) => {
      setImmediate(() => {
        this.yielding = undefined;
        this.since = performance.now();
        resolve();
      });
    });
    await this.yielding;
  }
}
