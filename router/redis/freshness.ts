/**
 * What is remembered of a session is served for so long after the last proof that it is what Redis has. Whoever changes a session for a caller answers later than that (`forgottenMs`),
 * so nobody who has read such an answer meets what was before, at whichever router (router/README.md, "Session records").
 */
export const provenMs = 30;
/** So long an answer waits after the change that it tells of. Timers may end a moment early, and clocks run at slightly different rates. */
export const forgottenMs = 35;

/** `proofAt`: before it was asked for. `renew`: it was long enough ago to ask for the next one, while this one still holds. */
export function freshnessOf(proofAt: number, now: number): { readonly isCurrent: boolean; readonly renew: boolean } {
  const ageMs = now - proofAt;
  return { isCurrent: ageMs < provenMs, renew: ageMs >= provenMs / 2 };
}
