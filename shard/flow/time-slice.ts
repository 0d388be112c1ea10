/**
 * Yields to the event loop when work has held it for `sliceMs`, for twice as long at most. Libraries that do thousands of small
 * asynchronous steps would otherwise stop every other session of the process for seconds.
 */
export class TimeSlice {
  private since = Number.NEGATIVE_INFINITY;
  /** The loop has had no turn since `since`. */
  private sameTurn = false;
  private yielding: Promise<void> | undefined;

  constructor(private readonly sliceMs: number) {}

  /** To be called right before each step, and again after each `yield`: other callers of the same turn may have used it up. */
  isSpent(): boolean {
    const now = performance.now();
    if (now - this.since < this.sliceMs) return false;
    if (this.sameTurn) return true;
    this.begin(now);
    return false;
  }

  /** Resolves in the next turn of the event loop, which begins a new slice. */
  yield(): Promise<void> {
    this.yielding ??= new Promise<void>((resolve) => {
      setImmediate(() => {
        this.yielding = undefined;
        this.begin(performance.now());
        resolve();
      });
    });
    return this.yielding;
  }

  private begin(now: number): void {
    this.since = now;
    this.sameTurn = true;
    setImmediate(() => {
      // Another slice may have begun in the immediate before this one.
      if (this.since === now) this.sameTurn = false;
    });
  }
}
