import type { Quotas } from "./records.js";
import type { BudgetLimits } from "./token-budget.js";

/**
 * Without a `burst` a second's worth may come at once. A bucket holds a fifth of a second's worth at least: routers ask ten times a second and more, and what came
 * meanwhile must have room.
 */
export function requestLimits(quotas: Partial<Quotas> | undefined): BudgetLimits | undefined {
  const rate = quotas?.requestsPerSecond ?? null;
  if (rate === null) return undefined;
  return { rate, capacity: Math.max(quotas?.burst ?? rate, Math.ceil(rate / 5), 1) };
}

/** A second's worth may be sent at once. */
export function byteLimits(quotas: Partial<Quotas> | undefined): BudgetLimits | undefined {
  const rate = quotas?.mediaBytesPerSecond ?? null;
  return rate === null ? undefined : { rate, capacity: rate };
}
