import { Waiter } from "../../shared/flow/waiter.js";

/** A tenant's bucket: tokens per second and capacity. A token is a request or a byte. */
export interface BudgetLimits {
  readonly rate: number;
  readonly capacity: number;
}

/** Result of a take from the bucket in Redis: tokens given, tokens left, and the time until the next one. */
export interface Grant {
  readonly given: number;
  readonly left: number;
  readonly waitMs: number;
}

export interface RateVerdict extends BudgetLimits {
  readonly admitted: boolean;
  /** Requests that may still come at once, as far as this router knows. */
  readonly remaining: number;
  /** Milliseconds until the next request may come; 0 if one may come now. */
  readonly retryMs: number;
}

export interface TokenBudgetOptions {
  /** Takes tokens from the bucket, or returns them if `wanted` is below 0. */
  readonly take: (wanted: number, limits: BudgetLimits) => Promise<Grant>;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Payer {
  readonly cost: number;
  readonly waiter: Waiter<void>;
}

/** Shortest time between two takes from an empty bucket. */
const requestEveryMs = 50;
/** Ticks without use after which the budget is dropped. */
const idleTicks = 20;

/** One tenant's tokens at this router. If the bucket fails, requests pass: without Redis there is no session to serve either. */
export class TokenBudget {
  private tokens = 0;
  private left = 0;
  private emptyUntil = -Infinity;
  private requesting: Promise<void> | undefined;
  /** Calls of `admit` that wait. */
  private waiting = 0;
  /** Callers waiting in `pay`, in order of arrival. The caller of `pay` bounds them. */
  private readonly line = new Set<Payer>();
  private timer: NodeJS.Timeout | undefined;
  /** Tokens wanted in this tick and in the one before. */
  private demand = 0;
  private lastDemand = 0;
  private quietTicks = 0;

  constructor(
    private limits: BudgetLimits,
    private readonly options: TokenBudgetOptions,
  ) {}

  /** Takes one token. Returns at once if one is at hand or the bucket is known to be empty. */
  admit(limits: BudgetLimits): RateVerdict | Promise<RateVerdict> {
    return this.admitAtHand(limits) ?? (this.isEmpty ? this.verdict(false) : this.admitLater());
  }

  /** Takes one token, or returns `undefined` without any effect if none is at hand. */
  admitAtHand(limits: BudgetLimits): RateVerdict | undefined {
    return this.tryPay(limits, 1) ? this.verdict(true) : undefined;
  }

  /** Pays without a wait. Returns false without any effect if too few tokens are at hand. */
  tryPay(limits: BudgetLimits, cost: number): boolean {
    this.limits = limits;
    this.demand += cost;
    if (this.line.size > 0 || this.tokens < cost) return false;
    this.tokens -= cost;
    if (this.tokens < this.expected / 2 && this.mayRequest) void this.requestTokens();
    return true;
  }

  /** Waits for its turn and the tokens. Rejects with the signal's reason if it aborts first. */
  async pay(limits: BudgetLimits, cost: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryPay(limits, cost)) return;
    const payer: Payer = { cost, waiter: new Waiter<void>({ signal, leave: () => void this.line.delete(payer) }) };
    this.line.add(payer);
    this.serve();
    await payer.waiter.given();
  }

  /** Returns tokens that were paid and not used. */
  refund(cost: number): void {
    this.tokens += cost;
    this.serve();
  }

  /** Must be called ten times per second with the current limits; `undefined` if there are none any more. */
  tick(limits: BudgetLimits | undefined): "busy" | "idle" {
    if (limits === undefined) for (const payer of this.line) this.admitPayer(payer);
    else this.limits = limits;
    this.quietTicks = this.demand === 0 && this.line.size === 0 ? this.quietTicks + 1 : 0;
    this.lastDemand = this.demand;
    this.demand = 0;
    // After two ticks without use, other routers may have the rest.
    if (this.quietTicks === 2) void this.bringBack();
    return this.quietTicks > idleTicks && this.requesting === undefined ? "idle" : "busy";
  }

  async bringBack(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const tokens = Math.floor(this.tokens);
    if (tokens < 1) return;
    this.tokens = 0;
    // If this fails, the tokens are lost and the bucket refills with time.
    await this.options.take(-tokens, this.limits).catch(() => undefined);
  }

  /** Time until all callers waiting in `pay` have their tokens, if no other router takes any. */
  get waitMs(): number {
    return (1_000 * this.owed) / this.limits.rate;
  }

  private async admitLater(): Promise<RateVerdict> {
    this.waiting += 1;
    try {
      // Each round ends with tokens, or with a time before which there are none.
      while (this.tokens < 1) {
        if (this.isEmpty) return this.verdict(false);
        await (this.requesting ?? this.requestTokens());
      }
      this.tokens -= 1;
      return this.verdict(true);
    } finally {
      this.waiting -= 1;
    }
  }

  /** Serves the line as far as the tokens reach, and takes more. */
  private serve(): void {
    for (const payer of this.line) {
      if (this.tokens < payer.cost) break;
      this.tokens -= payer.cost;
      this.admitPayer(payer);
    }
    if (this.line.size === 0 || this.requesting !== undefined || this.timer !== undefined) return;
    if (this.mayRequest) return void this.requestTokens();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.serve();
    }, this.emptyUntil - this.options.now());
  }

  private admitPayer(payer: Payer): void {
    this.line.delete(payer);
    payer.waiter.give();
  }

  private get isEmpty(): boolean {
    return this.options.now() < this.emptyUntil;
  }

  private get expected(): number {
    return Math.max(this.demand, this.lastDemand);
  }

  private get owed(): number {
    let cost = 0;
    for (const payer of this.line) cost += payer.cost;
    return cost;
  }

  private get mayRequest(): boolean {
    return this.requesting === undefined && !this.isEmpty;
  }

  private requestTokens(): Promise<void> {
    const { limits } = this;
    // Takes at most one tick's share of the rate ahead, so that rejected callers cannot raise the demand.
    const ahead = Math.min(this.expected, Math.ceil(limits.rate / 10));
    const wanted = Math.max(1, this.waiting + this.owed, ahead);
    this.requesting = this.options
      .take(wanted, limits)
      .then(({ given, left, waitMs }) => {
        this.tokens += given;
        this.left = left;
        if (given < wanted) this.emptyUntil = this.options.now() + Math.max(requestEveryMs, waitMs);
      })
      .catch(() => {
        this.tokens += wanted;
      })
      .finally(() => {
        this.requesting = undefined;
        this.serve();
      });
    return this.requesting;
  }

  private verdict(admitted: boolean): RateVerdict {
    const { rate, capacity } = this.limits;
    if (!admitted) this.options.onRefused();
    const remaining = admitted ? Math.min(capacity, Math.floor(this.tokens + this.left)) : 0;
    return { rate, capacity, admitted, remaining, retryMs: admitted ? 0 : Math.max(0, this.emptyUntil - this.options.now()) };
  }
}
