/** One counted update: applying it moves the count from `pts - count` to `pts`. */
export interface Counted<T> {
  readonly pts: number;
  readonly count: number;
  readonly item: T;
}

/**
 * Puts the counted updates of one account in order. What comes early is held until what is missing came, or until the caller asks the platform
 * for the difference and moves on. Pure: no clock, no I/O.
 */
export class PtsOrder<T> {
  private held: Counted<T>[] = [];

  constructor(private current: number) {}

  get pts(): number {
    return this.current;
  }

  /** Updates that wait for an earlier one. */
  get waiting(): number {
    return this.held.length;
  }

  /** What can be applied now, in order. Empty for a repeat, and for what has to wait. */
  offer(update: Counted<T>): { readonly outcome: "applied" | "repeated" | "held"; readonly ready: readonly T[] } {
    if (this.follows(update)) {
      this.current = update.pts;
      return { outcome: "applied", ready: [update.item, ...this.release()] };
    }
    if (update.pts <= this.current) return { outcome: "repeated", ready: [] };
    this.hold(update);
    return { outcome: "held", ready: [] };
  }

  /** Holds an update even when it is its turn. */
  hold(update: Counted<T>): void {
    const at = this.held.findIndex((other) => other.pts > update.pts);
    this.held.splice(at === -1 ? this.held.length : at, 0, update);
  }

  /** The platform told everything up to `pts`: what was held of that is a repeat. Yields what can be applied after it. */
  moveTo(pts: number): readonly T[] {
    this.current = pts;
    return this.release();
  }

  /** Gives up what is missing: the held ones are applied as if nothing were. */
  skip(): readonly T[] {
    const ready = this.held.filter(({ pts }) => pts > this.current);
    this.held = [];
    this.current = ready.at(-1)?.pts ?? this.current;
    return ready.map(({ item }) => item);
  }

  /** Updates that count nothing change the state in which they are sent. */
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
