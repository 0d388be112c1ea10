import type { AnswerHeaders } from "../http/response.js";
import type { RateVerdict } from "../tenant/token-budget.js";

/** The fields of the IETF's draft "RateLimit header fields for HTTP": what a tenant's bucket holds and in what time it fills, and what is left of it. */
export function rateHeaders({ rate, capacity, remaining, retryMs }: RateVerdict): AnswerHeaders {
  const untilFullS = Math.ceil((capacity - remaining) / rate);
  return {
    "RateLimit-Policy": `"requests";q=${capacity};w=${Math.max(1, Math.ceil(capacity / rate))}`,
    RateLimit: `"requests";r=${remaining};t=${retryMs > 0 ? retryAfterSeconds(retryMs) : untilFullS}`,
  };
}

export function retryAfterSeconds(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000));
}
