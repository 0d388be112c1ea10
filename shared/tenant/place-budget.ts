import { Waiter } from "../flow/waiter.js";

/** Gives a place back. Calling it again does nothing. */
export type ReleasePlace = () => void;

/** Redis's reply about one process's part of a tenant's places. */
export interface Part {
  /** Places that this process holds exclusively until it releases them. */
  readonly held: number;
  /** Fair share of these places, given what other processes want. */
  readonly share: number;
  /** True when all processes together want nearly all places: unused places are then released at once. */
  readonly tight: boolean;
}

export interface PlaceBudgetOptions {
  /** Reports how many places are kept and wanted, out of `limit`. */
  readonly request: (kept: number, wanted: number, limit: number) => Promise<Part>;
  /** Maximum number of waiting callers. */
  readonly waitingMax: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Ticks per window. The peak of this window and of the one before is kept. */
const windowTicks = 10;
/** Intervals of requests to Redis: while callers wait beyond the fair share, while places are unused, and otherwise. */
const requestWaitingMs = 250;
const requestIdleMs = 100;
const requestMs = 1_000;
/** Longest further wait of a caller whose own wait is over before Redis has replied. */
const redisWaitMs = 750;

/**
 * One tenant's places at this process. It keeps as many as it recently needed, so that most work does not wait. If Redis is down, the
 * process admits callers up to the whole quota.
 */
export class PlaceBudget {
  private used = 0;
  private held = 0;
  private share = 0;
  private tight = false;
  /** Most places used at once, in this window and in the one before. */
  private peak = 0;
  private lastPeak = 0;
  private ticks = 0;
  private readonly line = new Set<Waiter<ReleasePlace | undefined>>();
  private requesting: Promise<void> | undefined;
  private requestedAt = -Infinity;
  private repliedAt = -Infinity;

  constructor(
    private limit: number,
    private readonly options: PlaceBudgetOptions,
  ) {}

  get waiting(): number {
    return this.line.size;
  }

  /** Returns a place if one is free now and no caller waits. */
  tryEnter(limit: number): ReleasePlace | undefined {
    this.limit = limit;
    return this.line.size === 0 && this.hasPlace ? this.admit() : undefined;
  }

  /**
   * Waits at most `waitMs` for a place, and a second at most for Redis. Resolves with `undefined` on timeout or if too many
   * callers wait. Rejects with the signal's reason on abort.
   */
  async enter(limit: number, waitMs: number, signal: AbortSignal | undefined): Promise<ReleasePlace | undefined> {
    signal?.throwIfAborted();
    const atHand = this.tryEnter(limit);
    if (atHand !== undefined) return atHand;
    const cameAt = this.options.now();
    const isUnanswered = (): boolean => this.repliedAt < cameAt;
    const given = await this.inLine(waitMs, signal, () => undefined);
    if (given !== undefined || !isUnanswered()) return given;
    // Redis is slow, or this process stood still. Without a reply, the caller was not refused a place.
    return await this.inLine(redisWaitMs, signal, () => (isUnanswered() ? this.admit() : undefined));
  }

  private async inLine(
    waitMs: number,
    signal: AbortSignal | undefined,
    late: () => ReleasePlace | undefined,
  ): Promise<ReleasePlace | undefined> {
    if (this.line.size >= this.options.waitingMax) return undefined;
    const waiter = new Waiter<ReleasePlace | undefined>({
      signal,
      time: waitMs === Infinity ? undefined : { ms: waitMs, late },
      leave: () => void this.line.delete(waiter),
      giveBack: (release) => release?.(),
    });
    this.line.add(waiter);
    if (this.line.size === 1 && this.requesting === undefined) void this.requestPart();
    return await waiter.given();
  }

  /** Call 20 times a second with the current limit. */
  tick(limit: number): "busy" | "idle" {
    this.limit = limit;
    this.ticks += 1;
    if (this.ticks % windowTicks === 0) [this.lastPeak, this.peak] = [this.peak, this.used];
    if (this.requesting === undefined && this.isRequestDue()) void this.requestPart();
    return this.held === 0 && this.used === 0 && this.line.size === 0 && this.requesting === undefined ? "idle" : "busy";
  }

  /** Call when the process ends. Places that it still uses are no longer counted. */
  async leave(): Promise<void> {
    await this.requesting;
    if (this.held > 0) await this.options.request(0, 0, this.limit).catch(() => undefined);
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

  private isRequestDue(): boolean {
    if (this.kept !== this.held || (this.line.size > 0 && this.held < this.share)) return true;
    const sinceMs = this.options.now() - this.requestedAt;
    if (this.line.size > 0) return sinceMs >= requestWaitingMs;
    return this.held > 0 && sinceMs >= (this.held > this.used ? requestIdleMs : requestMs);
  }

  /** Repeats at once if every wanted place was given and more callers have come meanwhile. */
  private requestPart(): Promise<void> {
    this.requesting = this.requestPartNow().then((isSated) => {
      this.requesting = undefined;
      if (!isSated && this.line.size > 0) void this.requestPart();
    });
    return this.requesting;
  }

  /** Returns false when a further request may get more places. */
  private async requestPartNow(): Promise<boolean> {
    const { wanted, kept } = this;
    // Places that are given back must not be used during the request.
    this.held = kept;
    this.requestedAt = this.options.now();
    try {
      const { held, share, tight } = await this.options.request(kept, wanted, this.limit);
      [this.held, this.share, this.tight] = [held, share, tight];
    } catch {
      this.held = Math.max(kept, this.used + this.line.size);
      [this.share, this.tight] = [this.held, false];
    }
    this.repliedAt = this.options.now();
    this.serve();
    return Math.min(this.held, this.share) < wanted || wanted === this.limit;
  }
}
