import { Waiter } from "../flow/waiter.js";

/** Gives a place back. Calling it again does nothing. */
export type ReleasePlace = () => void;

/** What Redis said of one process's part of a tenant's places. */
export interface Part {
  /** Places that this process holds exclusively until it releases them. */
  readonly held: number;
  /** What of them is fair, now that others want some too. */
  readonly share: number;
  /** All processes together want nearly all that there are: what is not in use here is given back at once. */
  readonly tight: boolean;
}

export interface PlaceBudgetOptions {
  /** Reports how many places are kept and wanted, out of `limit`. */
  readonly ask: (kept: number, wanted: number, limit: number) => Promise<Part>;
  /** Maximum number of waiting callers. */
  readonly waitingMax: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** What was needed lately is kept for so many ticks, twice over. */
const windowTicks = 10;
/** How often Redis is asked: while some wait although the fair share is used, while places stand unused, and at all. */
const askWaitingMs = 250;
const askIdleMs = 100;
const askMs = 1_000;

/**
 * One tenant's places at this process: as many as it lately needed are kept, so that most work waits for nothing. Where Redis does not answer, nobody is held up: without it
 * there is little to do, and what there is was let in before.
 */
export class PlaceBudget {
  private used = 0;
  private held = 0;
  private share = 0;
  private tight = false;
  /** The most that were used at once, in this window and in the one before. */
  private peak = 0;
  private lastPeak = 0;
  private ticks = 0;
  private readonly line = new Set<Waiter<ReleasePlace | undefined>>();
  private asking: Promise<void> | undefined;
  private askedAt = -Infinity;
  private answeredAt = -Infinity;

  constructor(
    private limit: number,
    private readonly options: PlaceBudgetOptions,
  ) {}

  get waiting(): number {
    return this.line.size;
  }

  /** A place that is at hand. */
  tryEnter(limit: number): ReleasePlace | undefined {
    this.limit = limit;
    return this.line.size === 0 && this.hasPlace ? this.admit() : undefined;
  }

  /**
   * Waits at most `waitMs` for a place. Resolves with `undefined` on timeout or if too many
   * callers wait. Rejects with the signal's reason on abort.
   */
  async enter(limit: number, waitMs: number, signal: AbortSignal | undefined): Promise<ReleasePlace | undefined> {
    signal?.throwIfAborted();
    const atHand = this.tryEnter(limit);
    if (atHand !== undefined || this.line.size >= this.options.waitingMax) return atHand;
    const cameAt = this.options.now();
    const waiter = new Waiter<ReleasePlace | undefined>({
      signal,
      // A Redis that has said nothing meanwhile has not said "no".
      time: waitMs === Infinity ? undefined : { ms: waitMs, late: () => (this.answeredAt < cameAt ? this.admit() : undefined) },
      leave: () => void this.line.delete(waiter),
      giveBack: (release) => release?.(),
    });
    this.line.add(waiter);
    if (this.line.size === 1 && this.asking === undefined) void this.ask();
    return await waiter.given();
  }

  /** To be called 20 times a second, with the limit as of now. */
  tick(limit: number): "busy" | "idle" {
    this.limit = limit;
    this.ticks += 1;
    if (this.ticks % windowTicks === 0) [this.lastPeak, this.peak] = [this.peak, this.used];
    if (this.asking === undefined && this.hasToAsk()) void this.ask();
    return this.held === 0 && this.used === 0 && this.line.size === 0 && this.asking === undefined ? "idle" : "busy";
  }

  /** The process ends. What it still uses is not counted any more. */
  async leave(): Promise<void> {
    await this.asking;
    if (this.held > 0) await this.options.ask(0, 0, this.limit).catch(() => undefined);
  }

  private admit(): ReleasePlace {
    this.used += 1;
    this.peak = Math.max(this.peak, this.used);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.used -= 1;
      this.serve();
    };
  }

  private serve(): void {
    for (const waiter of this.line) {
      if (!this.hasPlace) return;
      this.line.delete(waiter);
      waiter.give(this.admit());
    }
  }

  private get hasPlace(): boolean {
    return this.used < Math.min(this.held, this.share, this.limit);
  }

  private get wanted(): number {
    const needed = this.used + this.line.size;
    return Math.min(this.limit, this.tight ? needed : Math.max(needed, this.peak, this.lastPeak));
  }

  private get kept(): number {
    return Math.max(this.used, Math.min(this.held, this.share, this.wanted));
  }

  private hasToAsk(): boolean {
    if (this.kept !== this.held || (this.line.size > 0 && this.held < this.share)) return true;
    const sinceMs = this.options.now() - this.askedAt;
    if (this.line.size > 0) return sinceMs >= askWaitingMs;
    return this.held > 0 && sinceMs >= (this.held > this.used ? askIdleMs : askMs);
  }

  /** Again at once where all that was wanted was given, and more have come meanwhile. */
  private ask(): Promise<void> {
    this.asking = this.askNow().then((isSated) => {
      this.asking = undefined;
      if (!isSated && this.line.size > 0) void this.ask();
    });
    return this.asking;
  }

  /** False when more may be given later. */
  private async askNow(): Promise<boolean> {
    const { wanted, kept } = this;
    // What is given back is used no more from now on.
    this.held = kept;
    this.askedAt = this.options.now();
    try {
      const { held, share, tight } = await this.options.ask(kept, wanted, this.limit);
      [this.held, this.share, this.tight] = [held, share, tight];
    } catch {
      this.held = Math.max(kept, this.used + this.line.size);
      [this.share, this.tight] = [this.held, false];
    }
    this.answeredAt = this.options.now();
    this.serve();
    return Math.min(this.held, this.share) < wanted || wanted === this.limit;
  }
}
