import { Waiter } from "../../shared/flow/waiter.js";

/** A tenant's bucket: tokens that come a second, and how many it holds. A token is a request, or a byte. */
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

export interface TokenBudgetOptions {
  /** Asks the bucket, or brings back where it is below 0. */
  readonly take: (wanted: number, limits: BudgetLimits) => Promise<Grant>;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Payer {
  readonly cost: number;
  readonly waiter: Waiter<void>;
}

/** An empty bucket is not asked more often, however many are refused meanwhile. */
const askEveryMs = 50;
/** Ticks without use, after which nothing is remembered. */
const idleTicks = 20;

/** One tenant's tokens at this router. A bucket that does not answer holds up nobody: without Redis there is no session to ask about, either. */
export class TokenBudget {
  private tokens = 0;
  private left = 0;
  private emptyUntil = -Infinity;
  private asking: Promise<void> | undefined;
  /** Calls of `admit` that wait. */
  private waiting = 0;
  /** Who waits in `pay`, in the order of coming; the caller bounds it. */
  private readonly line = new Set<Payer>();
  private timer: NodeJS.Timeout | undefined;
  /** Tokens that were wanted in this tick, and in the one before. */
  private demand = 0;
  private lastDemand = 0;
  private quietTicks = 0;

  constructor(
    private limits: BudgetLimits,
    private readonly options: TokenBudgetOptions,
  ) {}

  /** One token, or none. At once where one is at hand, or certainly is not. */
  admit(limits: BudgetLimits): RateVerdict | Promise<RateVerdict> {
    return this.admitAtHand(limits) ?? (this.isEmpty ? this.verdict(false) : this.admitLater());
  }

  /** One token; `undefined`, and nothing has happened, where none is at hand. */
  admitAtHand(limits: BudgetLimits): RateVerdict | undefined {
    return this.tryPay(limits, 1) ? this.verdict(true) : undefined;
  }

  /** Without a wait; false, and nothing has happened, where too few tokens are at hand. */
  tryPay(limits: BudgetLimits, cost: number): boolean {
    this.limits = limits;
    this.demand += cost;
    if (this.line.size > 0 || this.tokens < cost) return false;
    this.tokens -= cost;
    if (this.tokens < this.expected / 2 && this.mayAsk) void this.ask();
    return true;
  }

  /** Waits for its turn and the tokens, as long as it takes. Rejects with the signal's reason when it aborts first. */
  async pay(limits: BudgetLimits, cost: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryPay(limits, cost)) return;
    const payer: Payer = { cost, waiter: new Waiter<void>({ signal, leave: () => void this.line.delete(payer) }) };
    this.line.add(payer);
    this.serve();
    await payer.waiter.given();
  }

  /** Of what was paid and not used. */
  refund(cost: number): void {
    this.tokens += cost;
    this.serve();
  }

  /** To be called ten times a second, with the limits as of now; `undefined` when there are none any more. */
  tick(limits: BudgetLimits | undefined): "busy" | "idle" {
    if (limits === undefined) for (const payer of this.line) this.admitPayer(payer);
    else this.limits = limits;
    this.quietTicks = this.demand === 0 && this.line.size === 0 ? this.quietTicks + 1 : 0;
    this.lastDemand = this.demand;
    this.demand = 0;
    // Two ticks without use: others may have what is left.
    if (this.quietTicks === 2) void this.bringBack();
    return this.quietTicks > idleTicks && this.asking === undefined ? "idle" : "busy";
  }

  async bringBack(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const tokens = Math.floor(this.tokens);
    if (tokens < 1) return;
    this.tokens = 0;
    // Where it fails they are lost, and come again with time.
    await this.options.take(-tokens, this.limits).catch(() => undefined);
  }

  /** In what time all who wait in `pay` have their tokens, if nobody else takes any. */
  get waitMs(): number {
    return (1_000 * this.owed) / this.limits.rate;
  }

  private async admitLater(): Promise<RateVerdict> {
    this.waiting += 1;
    try {
      // Each round ends with tokens, or with a time before which there are none.
      while (this.tokens < 1) {
        if (this.isEmpty) return this.verdict(false);
        await (this.asking ?? this.ask());
      }
      this.tokens -= 1;
      return this.verdict(true);
    } finally {
      this.waiting -= 1;
    }
  }

  /** Lets the line go on as far as the tokens reach, and sees to it that more come. */
  private serve(): void {
    for (const payer of this.line) {
      if (this.tokens < payer.cost) break;
      this.tokens -= payer.cost;
      this.admitPayer(payer);
    }
    if (this.line.size === 0 || this.asking !== undefined || this.timer !== undefined) return;
    if (this.mayAsk) return void this.ask();
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

  private get mayAsk(): boolean {
    return this.asking === undefined && !this.isEmpty;
  }

  private ask(): Promise<void> {
    const { limits } = this;
    // Of what is wanted in a tick no more than the rate brings in one: who was refused asks no more loudly.
    const ahead = Math.min(this.expected, Math.ceil(limits.rate / 10));
    const wanted = Math.max(1, this.waiting + this.owed, ahead);
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
        this.serve();
      });
    return this.asking;
  }

  private verdict(admitted: boolean): RateVerdict {
    const { rate, capacity } = this.limits;
    if (!admitted) this.options.onRefused();
    const remaining = admitted ? Math.min(capacity, Math.floor(this.tokens + this.left)) : 0;
    return { rate, capacity, admitted, remaining, retryMs: admitted ? 0 : Math.max(0, this.emptyUntil - this.options.now()) };
  }
}
