import type { TenantName } from "../../shared/contract/tenant.js";
import { Ticks } from "../../shared/flow/ticks.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { TokenBudget, type BudgetLimits, type Grant, type RateVerdict } from "./token-budget.js";
import { takeTokens } from "./scripts.js";

/** Admits requests of tenants by their rates. */
export interface RatePort {
  /** `undefined` for a tenant without a rate: nothing is asked, and nobody waits. */
  admit(tenant: TenantName): RateVerdict | Promise<RateVerdict> | undefined;
  /** `free` for a tenant without a rate; `undefined`, and nothing has happened, where no token is at hand. */
  admitAtHand(tenant: TenantName): RateVerdict | "free" | undefined;
}

export interface TenantRatesOptions {
  readonly redis: RedisClient;
  /** Of a tenant's bucket. */
  readonly key: (tenant: TenantName) => string;
  /** As of now; `undefined` for a tenant without a rate, or that is gone. */
  readonly limitsOf: (tenant: TenantName) => BudgetLimits | undefined;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const tickMs = 100;

/**
 * One rate of all tenants, held over all routers: each takes tokens from a tenant's bucket in Redis for about 100 ms ahead, as many as it lately needed, and
 * brings back what it did not use. So who keeps within the rate waits for nothing, and all routers together never use more than the bucket held.
 */
export class TenantRates implements RatePort {
  /** Of tenants that asked lately; bounded by the number of tenants. */
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

  /** Without a wait. `free` for a tenant without a rate; `short`, and nothing has happened, where too few tokens are at hand. */
  tryPay(tenant: TenantName, cost: number): "free" | "paid" | "short" {
    const limits = this.limitsOf(tenant);
    if (limits === undefined) return "free";
    return this.budgetOf(tenant, limits).tryPay(limits, cost) ? "paid" : "short";
  }

  /** In what time those who wait in `pay` at this router have their tokens, at the soonest. */
  waitMs(tenant: TenantName): number {
    return this.budgets.get(tenant)?.waitMs ?? 0;
  }

  /** Waits until there are tokens. Rejects with the signal's reason when it aborts first. */
  async pay(tenant: TenantName, cost: number, signal: AbortSignal): Promise<void> {
    const limits = this.limitsOf(tenant);
    if (limits !== undefined) await this.budgetOf(tenant, limits).pay(limits, cost, signal);
  }

  /** Of what was paid and not used. Where nobody remembers, it comes again with time. */
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

  /** False when no tenant is left. */
  private tick(): boolean {
    for (const [tenant, budget] of this.budgets) if (budget.tick(this.limitsOf(tenant)) === "idle") this.budgets.delete(tenant);
    return this.budgets.size > 0;
  }

  private async take(tenant: TenantName, rate: number, capacity: number, wanted: number): Promise<Grant> {
    const [given, left, waitMs] = await takeTokens(this.options.redis, [this.options.key(tenant)], [rate, capacity, wanted]);
    return { given, left, waitMs };
  }
}
