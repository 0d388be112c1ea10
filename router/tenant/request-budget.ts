/** A tenant's bucket: tokens that come a second, and how many it holds. */
export interface BudgetLimits {
  readonly rate: number;
  readonly capacity: number;
}

/** What the bucket in Redis gave: of how many that are left there, and in what time there is one more. */
export interface Grant {
  readonly given: number;
  readonly left: number;
  readonly waitMs: number;
}

export interface RateVerdict extends BudgetLimits {
  readonly admitted: boolean;
  /** Requests that may still come at once, as far as this router knows. */
  readonly remaining: number;
  /** Until one more may come; 0 where one may now. */
  readonly retryMs: number;
}

export interface RequestBudgetOptions {
  /** Asks the bucket, or brings back where it is below 0. */
  readonly take: (wanted: number, limits: BudgetLimits) => Promise<Grant>;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** An empty bucket is not asked more often, however many are refused meanwhile. */
const askEveryMs = 50;
/** Ticks without a request, after which nothing is remembered. */
const idleTicks = 20;

/** One tenant's tokens at this router. A bucket that does not answer refuses nobody: without Redis there is no session to ask about, either. */
export class RequestBudget {
  private tokens = 0;
  private left = 0;
  private emptyUntil = -Infinity;
  private asking: Promise<void> | undefined;
  private waiting = 0;
  /** Requests of this tick, and of the one before. */
  private demand = 0;
  private lastDemand = 0;
  private quietTicks = 0;
  private limits: BudgetLimits | undefined;

  constructor(private readonly options: RequestBudgetOptions) {}

  /** At once where tokens are at hand, or certainly are not. */
  admit(limits: BudgetLimits): RateVerdict | Promise<RateVerdict> {
    this.limits = limits;
    this.demand += 1;
    if (this.tokens < 1) return this.options.now() < this.emptyUntil ? this.verdict(limits, false) : this.admitLater(limits);
    this.tokens -= 1;
    if (this.tokens < this.expected / 2 && this.mayAsk) void this.ask(limits);
    return this.verdict(limits, true);
  }

  /** To be called ten times a second. */
  tick(): "busy" | "idle" {
    this.quietTicks = this.demand === 0 ? this.quietTicks + 1 : 0;
    this.lastDemand = this.demand;
    this.demand = 0;
    // Two ticks without a request: others may have what is left.
    if (this.quietTicks === 2) void this.bringBack();
    return this.quietTicks > idleTicks && this.asking === undefined ? "idle" : "busy";
  }

  async bringBack(): Promise<void> {
    const { tokens, limits } = this;
    if (tokens < 1 || limits === undefined) return;
    this.tokens = 0;
    // Where it fails they are lost, and come again with time.
    await this.options.take(-tokens, limits).catch(() => undefined);
  }

  private async admitLater(limits: BudgetLimits): Promise<RateVerdict> {
    this.waiting += 1;
    try {
      // Each round ends with tokens, or with a time before which there are none.
      while (this.tokens < 1) {
        if (this.options.now() < this.emptyUntil) return this.verdict(limits, false);
        await (this.asking ?? this.ask(limits));
      }
      this.tokens -= 1;
      return this.verdict(limits, true);
    } finally {
      this.waiting -= 1;
    }
  }

  private get expected(): number {
    return Math.max(this.demand, this.lastDemand);
  }

  private get mayAsk(): boolean {
    return this.asking === undefined && this.options.now() >= this.emptyUntil;
  }

  private ask(limits: BudgetLimits): Promise<void> {
    // Of the requests of a tick no more than the rate brings in one: who was refused asks no more loudly.
    const ahead = Math.min(this.expected, Math.ceil(limits.rate / 10));
    const wanted = Math.max(1, this.waiting, ahead);
    this.asking = this.options
      .take(wanted, limits)
      .then(({ given, left, waitMs }) => {
        this.tokens += given;
        this.left = left;
        if (given < wanted) this.emptyUntil = this.options.now() + Math.max(askEveryMs, waitMs);
      })
      .catch(() => {
        this.tokens += wanted;
      })
      .finally(() => {
        this.asking = undefined;
      });
    return this.asking;
  }

  private verdict({ rate, capacity }: BudgetLimits, admitted: boolean): RateVerdict {
    if (!admitted) this.options.onRefused();
    const remaining = admitted ? Math.min(capacity, Math.floor(this.tokens + this.left)) : 0;
    return { rate, capacity, admitted, remaining, retryMs: admitted ? 0 : Math.max(0, this.emptyUntil - this.options.now()) };
  }
}
