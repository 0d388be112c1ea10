/** One counted update. Applying it moves the count from `pts - count` to `pts`. */
export interface Counted<T> {
  readonly pts: number;
  readonly count: number;
  readonly item: T;
}

/**
 * Orders the counted updates of one account. Holds early updates until the missing ones arrive, or until the caller fetches the difference
 * and moves on. Has no clock and no I/O.
 */
export class PtsOrder<T> {
  private held: Counted<T>[] = [];

  constructor(private current: number) {}

  get pts(): number {
    return this.current;
  }

  /** Number of updates that wait for an earlier one. */
  get waiting(): number {
    return this.held.length;
  }

  /** Returns the updates that can be applied now, in order. Empty for a repeat and for an early update. */
  offer(update: Counted<T>): { readonly outcome: "applied" | "repeated" | "held"; readonly ready: readonly T[] } {
    if (this.follows(update)) {
      this.current = update.pts;
      return { outcome: "applied", ready: [update.item, ...this.release()] };
    }
    if (update.pts <= this.current) return { outcome: "repeated", ready: [] };
    this.hold(update);
    return { outcome: "held", ready: [] };
  }

  /** Holds an update even if it is next. */
  hold(update: Counted<T>): void {
    const at = this.held.findIndex((other) => other.pts > update.pts);
    this.held.splice(at === -1 ? this.held.length : at, 0, update);
  }

  /**
   * Moves to `pts`, because the platform has sent everything up to it, and drops held repeats. Returns the held updates that can be
   * applied now.
   */
  moveTo(pts: number): readonly T[] {
    this.current = pts;
    return this.release();
  }

  /** Skips the missing updates and returns the held ones, as if none were missing. */
  skip(): readonly T[] {
    const ready = this.held.filter(({ pts }) => pts > this.current);
    this.held = [];
    this.current = ready.at(-1)?.pts ?? this.current;
    return ready.map(({ item }) => item);
  }

  /** Updates with a count of 0 are valid only in the state in which they were sent. */
  private follows({ pts, count }: Counted<T>): boolean {
    return pts - count === this.current;
  }

  private release(): T[] {
    const ready: T[] = [];
    const rest: Counted<T>[] = [];
    for (const update of this.held) {
      if (this.follows(update)) {
        this.current = update.pts;
        ready.push(update.item);
      } else if (update.pts > this.current) {
        rest.push(update);
      }
    }
    this.held = rest;
    return ready;
  }
}
