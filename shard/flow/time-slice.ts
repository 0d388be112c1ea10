/**
 * Lets the event loop have its turn when work has held it for `sliceMs`, for twice as long at most. Libraries that do thousands of small asynchronous steps without any real wait would otherwise stop every
 * other session of the process for seconds. Time in which the loop waited or did something else in turns of its own does not count: what comes now and then never waits for a turn.
 */
export class TimeSlice {
  private since = Number.NEGATIVE_INFINITY;
  /** Since then the loop has had no turn. */
  private sameTurn = false;
  private yielding: Promise<void> | undefined;

  constructor(private readonly sliceMs: number) {}

  /** To be asked right before each step, and again after each `yield`: many may wait for the same turn, and the first ones of them may leave nothing of it. */
  isSpent(): boolean {
    const now = performance.now();
    if (now - this.since < this.sliceMs) return false;
    if (this.sameTurn) return true;
    this.begin(now);
    return false;
  }

  /** Resolves in the next turn of the event loop, with which a new slice begins. */
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
