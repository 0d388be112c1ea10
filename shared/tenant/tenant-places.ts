import type { TenantName } from "../contract/tenant.js";
import { Ticks } from "../flow/ticks.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import { script } from "../redis/script.js";
import { integer, tuple, word } from "../redis/script-reply.js";
import { PlaceBudget, type Part, type ReleasePlace } from "./place-budget.js";

/** Quotas of concurrent work. */
export type PlaceQuota = "inFlight" | "downloads" | "webhooks";

export interface TenantPlacesOptions {
  readonly redis: RedisClient;
  readonly quota: PlaceQuota;
  /** Id of this process's start, which no other process has had. */
  readonly member: string;
  /** Returns the current limit; `undefined` for a tenant without the quota or a deleted one. */
  readonly limitOf: (tenant: TenantName) => number | undefined;
  /** Maximum number of waiting callers of one tenant. */
  readonly waitingMax: number;
  /** Called with the seconds that a caller waited before it got its place. */
  readonly onWaited?: (seconds: number) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const tickMs = 50;
/** Places of a dead process are free again after this time. A live process reports every second. */
const lifetimeMs = 15_000;
/** Above any possible quota, so callers that wait when a quota is removed are admitted. */
const unlimited = 1_000_000_000;

export const sharePlaces = script<
  [places: string],
  [member: string, kept: number, wanted: number, all: number, lifetimeMs: number],
  [held: number, share: number, tight: 0 | 1]
>(new URL("./scripts/share-places.lua", import.meta.url), tuple(integer, integer, word(0, 1)));

/**
 * Limits each tenant's concurrent work of one kind over all processes (deploy/docs/tenants.md). Each process holds the places that it
 * recently needed, and one script never gives out a place that another process still holds.
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

  /** Returns a place that is at hand. A tenant without the quota always gets one. */
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
      const ask = (kept: number, wanted: number, all: number): Promise<Part> => this.ask(tenant, kept, wanted, all);
      budget = new PlaceBudget(limit, { ask, waitingMax: this.options.waitingMax, now: this.now });
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

  private async ask(tenant: TenantName, kept: number, wanted: number, all: number): Promise<Part> {
    const { redis, quota, member } = this.options;
    const [held, share, tight] = await sharePlaces(redis, [keys.tenantPlaces(tenant, quota)], [member, kept, wanted, all, lifetimeMs]);
    return { held, share, tight: tight === 1 };
  }
}

const free: ReleasePlace = () => undefined;
