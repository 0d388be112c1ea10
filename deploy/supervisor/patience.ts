export interface ChildLimits {
  /** Beats come every second from the first moment on in which the child's own code runs; one that says nothing for so long hangs. */
  stallMs: number;
  /** Until it is ready it reports what it has done; one that does nothing more for so long hangs too. */
  startMs: number;
  /** How often both are looked at. */
  watchMs: number;
}

/**
 * Whether one life of a child hangs. Pure. Readiness is progress, not a stopwatch: a start may take as long as it needs while it goes on. And only time in which the child could have run
 * and we could have listened counts: on a machine with too much to do everything is late, and killing what is late makes more to do.
 */
export class Patience {
  private heardAt: number | undefined;
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
    this.heardAt = now;
  }

  /** Saying the same again is none. */
  progress(now: number, phase: string, count: number): void {
    this.heardAt = now;
    const done = count === 0 ? phase : `${phase}, ${count}`;
    if (done === this.done) return;
    this.done = done;
    this.progressAt = now;
  }

  isReady(now: number): void {
    this.heardAt = now;
    this.ready = true;
  }

  /** For `ms` of the time since the last look it could not run, or we could not listen. */
  excuse(now: number, ms: number): void {
    this.progressAt = Math.min(now, this.progressAt + ms);
    if (this.heardAt !== undefined) this.heardAt = Math.min(now, this.heardAt + ms);
  }

  /** Why it is to be killed; undefined: it is not. */
  verdict(now: number): string | undefined {
    const { stallMs, startMs } = this.limits;
    if (this.heardAt !== undefined && now - this.heardAt > stallMs) return `it said nothing for ${seconds(stallMs)}`;
    if (!this.ready && now - this.progressAt > startMs) return `its start did not go on for ${seconds(startMs)} after: ${this.done}`;
    return undefined;
  }
}

const seconds = (ms: number): string => `${ms / 1_000} s`;
