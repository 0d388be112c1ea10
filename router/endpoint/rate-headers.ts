import type { RateVerdict } from "../tenant/token-budget.js";

/**
 * Returns the fields of the IETF draft "RateLimit header fields for HTTP": the capacity of the tenant's bucket, its fill time, and what
 * remains.
 */
export function rateHeaders({ rate, capacity, remaining, retryMs }: RateVerdict): Record<string, string> {
  const untilFullS = Math.ceil((capacity - remaining) / rate);
  return {
    "RateLimit-Policy": `"requests";q=${capacity};w=${Math.max(1, Math.ceil(capacity / rate))}`,
    RateLimit: `"requests";r=${remaining};t=${retryMs > 0 ? retryAfterSeconds(retryMs) : untilFullS}`,
  };
}

export function retryAfterSeconds(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000));
}
