import type { Quotas } from "./records.js";
import type { BudgetLimits } from "./token-budget.js";

/**
 * Without a `burst`, one second's worth may come at once. The bucket holds at least a fifth of a second's worth, because routers take
 * tokens about ten times per second.
 */
export function requestLimits(quotas: Partial<Quotas> | undefined): BudgetLimits | undefined {
  const rate = quotas?.requestsPerSecond ?? null;
  if (rate === null) return undefined;
  return { rate, capacity: Math.max(quotas?.burst ?? rate, Math.ceil(rate / 5), 1) };
}

/** Allows one second's worth at once. */
export function byteLimits(quotas: Partial<Quotas> | undefined): BudgetLimits | undefined {
  const rate = quotas?.mediaBytesPerSecond ?? null;
  return rate === null ? undefined : { rate, capacity: rate };
}
