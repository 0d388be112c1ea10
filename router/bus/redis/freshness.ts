/**
 * How long a proof that remembered records are current holds. A command that changes a record returns `forgottenMs` after its write,
 * when every such proof has expired (router/README.md, "Session records").
 */
export const provenMs = 30;
/** A result waits this long after the record changed. The margin over `provenMs` covers early timers and clock drift. */
export const forgottenMs = 35;

/** `proofAt`: time before the proof was requested. `renew`: the proof still holds but is old enough to request the next one. */
export function freshnessOf(proofAt: number, now: number): { readonly isCurrent: boolean; readonly renew: boolean } {
  const ageMs = now - proofAt;
  return { isCurrent: ageMs < provenMs, renew: ageMs >= provenMs / 2 };
}
