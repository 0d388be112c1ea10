import type { TenantName } from "../../shared/contract/tenant.js";
import { Ticks } from "../../shared/flow/ticks.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { TokenBudget, type BudgetLimits, type Grant, type RateVerdict } from "./token-budget.js";
import { takeTokens } from "./scripts.js";

/** Admits requests of tenants by their rates. */
export interface RatePort {
  /** Returns `undefined` at once for a tenant without a rate. */
  admit(tenant: TenantName): RateVerdict | Promise<RateVerdict> | undefined;
  /** Returns `free` for a tenant without a rate, or `undefined` without any effect if no token is at hand. */
  admitAtHand(tenant: TenantName): RateVerdict | "free" | undefined;
}

export interface TenantRatesOptions {
  readonly redis: RedisClient;
  /** Returns the Redis key of a tenant's bucket. */
  readonly key: (tenant: TenantName) => string;
  /** Returns the current limits; `undefined` for a tenant without a rate or a deleted one. */
  readonly limitsOf: (tenant: TenantName) => BudgetLimits | undefined;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const tickMs = 100;

/**
 * One rate of each tenant over all routers. A router takes tokens from the bucket in Redis for about 100 ms ahead and returns unused ones,
 * so requests within the rate do not wait.
 */
export class TenantRates implements RatePort {
  /** Budgets of recently active tenants. Bounded by the number of tenants. */
  private readonly budgets = new Map<TenantName, TokenBudget>();
  private readonly ticks = new Ticks(tickMs, () => this.tick());
  private readonly now: () => number;

  constructor(private readonly options: TenantRatesOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  start(): void {
    this.ticks.start();
  }

  async stop(): Promise<void> {
    this.ticks.stop();
    await Promise.all([...this.budgets.values()].map((budget) => budget.bringBack()));
  }

  limitsOf(tenant: TenantName): BudgetLimits | undefined {
    return this.options.limitsOf(tenant);
  }

  admit(tenant: TenantName): RateVerdict | Promise<RateVerdict> | undefined {
    const limits = this.limitsOf(tenant);
    return limits && this.budgetOf(tenant, limits).admit(limits);
  }

  admitAtHand(tenant: TenantName): RateVerdict | "free" | undefined {
    const limits = this.limitsOf(tenant);
    return limits === undefined ? "free" : this.budgetOf(tenant, limits).admitAtHand(limits);
  }

  /** Pays without a wait. Returns `free` for a tenant without a rate, or `short` without any effect if too few tokens are at hand. */
  tryPay(tenant: TenantName, cost: number): "free" | "paid" | "short" {
    const limits = this.limitsOf(tenant);
    if (limits === undefined) return "free";
    return this.budgetOf(tenant, limits).tryPay(limits, cost) ? "paid" : "short";
  }

  /** Returns the shortest time after which the callers waiting in `pay` have their tokens. */
  waitMs(tenant: TenantName): number {
    return this.budgets.get(tenant)?.waitMs ?? 0;
  }

  /** Waits until there are tokens. Rejects with the signal's reason if it aborts first. */
  async pay(tenant: TenantName, cost: number, signal: AbortSignal): Promise<void> {
    const limits = this.limitsOf(tenant);
    if (limits !== undefined) await this.budgetOf(tenant, limits).pay(limits, cost, signal);
  }

  /** Returns tokens that were paid and not used. Without a budget they are dropped, and the bucket refills with time. */
  refund(tenant: TenantName, cost: number): void {
    this.budgets.get(tenant)?.refund(cost);
  }

  private budgetOf(tenant: TenantName, limits: BudgetLimits): TokenBudget {
    let budget = this.budgets.get(tenant);
    if (budget === undefined) {
      const take = (wanted: number, { rate, capacity }: BudgetLimits): Promise<Grant> => this.take(tenant, rate, capacity, wanted);
      budget = new TokenBudget(limits, { take, onRefused: this.options.onRefused, now: this.now });
      this.budgets.set(tenant, budget);
      this.ticks.wake();
    }
    return budget;
  }

  /** Returns false when no tenant is left. */
  private tick(): boolean {
    for (const [tenant, budget] of this.budgets) if (budget.tick(this.limitsOf(tenant)) === "idle") this.budgets.delete(tenant);
    return this.budgets.size > 0;
  }

  private async take(tenant: TenantName, rate: number, capacity: number, wanted: number): Promise<Grant> {
    const [given, left, waitMs] = await takeTokens(this.options.redis, [this.options.key(tenant)], [rate, capacity, wanted]);
    return { given, left, waitMs };
  }
}
