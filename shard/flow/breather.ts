/**
 * Lets the event loop have its turn when one piece of work has held it for `sliceMs`. Libraries that do thousands of small asynchronous
 * steps without any real wait would otherwise stop every other session of the process for seconds.
 */
export class Breather {
  private since = performance.now();
  private resting: Promise<void> | undefined;

  constructor(private readonly sliceMs: number) {}

  /** Resolves at once while the slice lasts, else in the next turn of the event loop. */
  async breathe(): Promise<void> {
    if (performance.now() - this.since < this.sliceMs) return;
    this.resting ??= new Promise<void>((resolve) => {
      setImmediate(() => {
        this.resting = undefined;
        this.since = performance.now();
        resolve();
      });
    });
    await this.resting;
  }
}
