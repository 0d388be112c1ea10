import type { TenantName } from "../contract/tenant.js";
import { Ticks } from "../flow/ticks.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import { script } from "../redis/script.js";
import { integer, tuple, literal } from "../redis/script-reply.js";
import { PlaceBudget, type Part, type ReleasePlace } from "./place-budget.js";

/** Quotas that limit how many pieces of work run at once. */
export type PlaceQuota = "inFlight" | "downloads" | "webhooks";

export interface TenantPlacesOptions {
  readonly redis: RedisClient;
  readonly quota: PlaceQuota;
  /** Unique name of this life of the process. */
  readonly member: string;
  /** Returns the current limit; `undefined` for a tenant without the quota, or a deleted one. */
  readonly limitOf: (tenant: TenantName) => number | undefined;
  /** Maximum number of waiting callers of one tenant. */
  readonly waitingMax: number;
  /** Called when a caller gets its place, with the seconds that it waited. */
  readonly onWaited?: (seconds: number) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const tickMs = 50;
/** Places of a dead process are free again after this time. A live process reports every second. */
const lifetimeMs = 15_000;
/** Above any quota: callers that wait while a quota is removed are let in. */
const unlimited = 1_000_000_000;

export const sharePlaces = script<
  [places: string],
  [member: string, kept: number, wanted: number, all: number, lifetimeMs: number],
  [held: number, share: number, tight: 0 | 1]
>(new URL("./scripts/share-places.lua", import.meta.url), tuple(integer, integer, literal(0, 1)));

/**
 * Bounds each tenant's concurrent work by places that processes share through Redis (shared/README.md, "Quotas of things at once"). A fixed
 * share per process would waste small quotas (one place cannot be halved) and fail when load is uneven.
 */
export class TenantPlaces {
  /** Budgets of recently active tenants; bounded by the number of tenants. */
  private readonly budgets = new Map<TenantName, PlaceBudget>();
  private readonly ticks = new Ticks(tickMs, () => this.tick());
  private readonly now: () => number;

  constructor(private readonly options: TenantPlacesOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  start(): void {
    this.ticks.start();
  }

  async stop(): Promise<void> {
    this.ticks.stop();
    await Promise.all([...this.budgets.values()].map((budget) => budget.leave()));
  }

  /** Number of waiting callers of all tenants. */
  get waiting(): number {
    let count = 0;
    for (const budget of this.budgets.values()) count += budget.waiting;
    return count;
  }

  /** Returns a place if one is free now; always for a tenant without the quota. */
  tryEnter(tenant: TenantName): ReleasePlace | undefined {
    const limit = this.options.limitOf(tenant);
    return limit === undefined ? free : this.budgetOf(tenant, limit).tryEnter(limit);
  }

  /**
   * Waits at most `waitMs` for a place. Resolves with `undefined` on timeout or if too many
   * callers of the tenant wait. Rejects with the signal's reason on abort.
   */
  async enter(
    tenant: TenantName,
    { waitMs = Infinity, signal }: { waitMs?: number; signal?: AbortSignal },
  ): Promise<ReleasePlace | undefined> {
    const limit = this.options.limitOf(tenant);
    if (limit === undefined) return free;
    const startedAt = this.now();
    const release = await this.budgetOf(tenant, limit).enter(limit, waitMs, signal);
    if (release !== undefined) this.options.onWaited?.((this.now() - startedAt) / 1_000);
    return release;
  }

  private budgetOf(tenant: TenantName, limit: number): PlaceBudget {
    let budget = this.budgets.get(tenant);
    if (budget === undefined) {
      const request = (kept: number, wanted: number, all: number): Promise<Part> => this.requestShare(tenant, kept, wanted, all);
      budget = new PlaceBudget(limit, { request, waitingMax: this.options.waitingMax, now: this.now });
      this.budgets.set(tenant, budget);
      this.ticks.wake();
    }
    return budget;
  }

  /** Returns false when no tenant is left. */
  private tick(): boolean {
    for (const [tenant, budget] of this.budgets) {
      if (budget.tick(this.options.limitOf(tenant) ?? unlimited) === "idle") this.budgets.delete(tenant);
    }
    return this.budgets.size > 0;
  }

  private async requestShare(tenant: TenantName, kept: number, wanted: number, all: number): Promise<Part> {
    const { redis, quota, member } = this.options;
    const [held, share, tight] = await sharePlaces(redis, [keys.tenantPlaces(tenant, quota)], [member, kept, wanted, all, lifetimeMs]);
    return { held, share, tight: tight === 1 };
  }
}

const free: ReleasePlace = () => undefined;
