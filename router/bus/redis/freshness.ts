/**
 * Why records are served from memory under a proof, and not read once for each request:
 *
 * - The promise: who has read the answer of a command that changes a session (`DELETE`, reset, password, webhook) finds that change at every router.
 * - One read for each request keeps the promise. It reached 0.21 of bare uWebSockets.js and 0.35 of uWebSockets.js with a Redis read (2026-11-22, 16 clients);
 *   the bars of bench `session-record` are 0.50 and 1.0. Memory with a proof reaches 1.03 and 1.53.
 * - Memory without a proof breaks the promise: Redis tells of a write on another connection than the one that answers, so the message may still be on its way.
 *
 * The rule has two halves. A router serves what it remembers for `provenMs` after Redis has answered on both connections: every message about a write from before
 * that moment has arrived by then. A command that changes a record is answered `forgottenMs` after the write: by then every such proof is too old. No router waits
 * for another one, so a frozen router delays nobody (router/README.md, "Session records").
 */
export const provenMs = 30;
/** So long an answer waits after the change that it tells of. Timers may end a moment early, and clocks run at slightly different rates. */
export const forgottenMs = 35;

/** `proofAt`: before it was asked for. `renew`: it was long enough ago to ask for the next one, while this one still holds. */
export function freshnessOf(proofAt: number, now: number): { readonly isCurrent: boolean; readonly renew: boolean } {
  const ageMs = now - proofAt;
  return { isCurrent: ageMs < provenMs, renew: ageMs >= provenMs / 2 };
}
