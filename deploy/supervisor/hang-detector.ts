export interface ChildLimits {
  /** The child sends a beat every second once its own code runs; after this silence in ms it counts as hung. */
  stallMs: number;
  /** Until it is ready the child reports its progress; after this time in ms without progress it counts as hung. */
  startMs: number;
  /** Interval of both checks in ms. */
  watchMs: number;
}

/**
 * Decides whether a child hangs. A start may take any time while it makes progress. Only time in which both processes could run counts,
 * because killing slow children on an overloaded machine adds load. Pure.
 */
export class HangDetector {
  private beatAt: number | undefined;
  private progressAt: number;
  private done = "loading";
  private ready = false;

  constructor(
    private readonly limits: ChildLimits,
    now: number,
  ) {
    this.progressAt = now;
  }

  beat(now: number): void {
    this.beatAt = now;
  }

  /** A repeated report is not progress. */
  progress(now: number, phase: string, count: number): void {
    this.beatAt = now;
    const done = count === 0 ? phase : `${phase}, ${count}`;
    if (done === this.done) return;
    this.done = done;
    this.progressAt = now;
  }

  isReady(now: number): void {
    this.beatAt = now;
    this.ready = true;
  }

  /** Excludes `ms` since the last check, in which the child could not run or we could not read. */
  excuse(now: number, ms: number): void {
    this.progressAt = Math.min(now, this.progressAt + ms);
    if (this.beatAt !== undefined) this.beatAt = Math.min(now, this.beatAt + ms);
  }

  /** Returns the reason to kill the child, otherwise undefined. */
  verdict(now: number): string | undefined {
    const { stallMs, startMs } = this.limits;
    if (this.beatAt !== undefined && now - this.beatAt > stallMs) return `it said nothing for ${seconds(stallMs)}`;
    if (!this.ready && now - this.progressAt > startMs) return `its start did not go on for ${seconds(startMs)} after: ${this.done}`;
    return undefined;
  }
}

const seconds = (ms: number): string => `${ms / 1_000} s`;
