import type { TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { RequestBudget, type BudgetLimits, type Grant, type RateVerdict } from "./request-budget.js";
import type { QuotaMetrics, Quotas } from "./records.js";
import { takeTokens } from "./scripts.js";

/** Admits requests of tenants by their rates. */
export interface RatePort {
  /** `undefined` for a tenant without a rate: nothing is asked, and nobody waits. */
  admit(tenant: TenantName): RateVerdict | Promise<RateVerdict> | undefined;
}

export interface RequestRatesOptions {
  readonly redis: RedisClient;
  /** As of now; `undefined` for a tenant that is gone. */
  readonly quotasOf: (tenant: TenantName) => Partial<Quotas> | undefined;
  readonly metrics: QuotaMetrics;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const tickMs = 100;

/**
 * The rates of all tenants, held over all routers: each takes tokens from a tenant's bucket in Redis for about 100 ms ahead, as many as it lately needed, and
 * brings back what it did not use. So a request of a tenant that keeps within its rate waits for nothing, and all routers together never admit more than the bucket held.
 */
export class RequestRates implements RatePort {
  /** Of tenants that asked lately; bounded by the number of tenants. */
  private readonly budgets = new Map<TenantName, RequestBudget>();
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly options: RequestRatesOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), tickMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.budgets.values()].map((budget) => budget.bringBack()));
  }

  admit(tenant: TenantName): RateVerdict | Promise<RateVerdict> | undefined {
    const limits = limitsOf(this.options.quotasOf(tenant));
    if (limits === undefined) return undefined;
    let budget = this.budgets.get(tenant);
    if (budget === undefined) {
      const { metrics } = this.options;
      budget = new RequestBudget({
        take: (wanted, { rate, capacity }) => this.take(tenant, rate, capacity, wanted),
        onRefused: () => metrics.quotaReached("requestsPerSecond"),
        now: this.now,
      });
      this.budgets.set(tenant, budget);
    }
    return budget.admit(limits);
  }

  private tick(): void {
    for (const [tenant, budget] of this.budgets) if (budget.tick() === "idle") this.budgets.delete(tenant);
  }

  private async take(tenant: TenantName, rate: number, capacity: number, wanted: number): Promise<Grant> {
    const [given, left, waitMs] = await takeTokens(this.options.redis, [keys.tenantRequests(tenant)], [rate, capacity, wanted]);
    return { given, left, waitMs };
  }
}

/**
 * Without a `burst` a second's worth may come at once. A bucket holds a fifth of a second's worth at least: routers ask ten times a second and more, and what came
 * meanwhile must have room.
 */
export function limitsOf(quotas: Partial<Quotas> | undefined): BudgetLimits | undefined {
  const rate = quotas?.requestsPerSecond ?? null;
  if (rate === null) return undefined;
  return { rate, capacity: Math.max(quotas?.burst ?? rate, Math.ceil(rate / 5), 1) };
}
