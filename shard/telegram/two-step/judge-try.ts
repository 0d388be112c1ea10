/** Tries of a password that a session has within an hour. The platform's own limit stands behind it, and guards the account; this one keeps the account from being slowed down there. */
export const triesMax = 5;
export const triesMs = 3_600_000;
/** Variant B: "Waits under one minute are waited out automatically. Longer ones come back as an error". A try has no time to wait one out. */
const shortestWaitSeconds = 60;

/** `tries`: when the session's tries were, this one included where it may be. */
export type TryVerdict =
  | { readonly kind: "admitted"; readonly tries: readonly number[] }
  | { readonly kind: "refused"; readonly waitSeconds: number };

/** May a session try a password now? Times are milliseconds since 1970, the oldest first; one that lies ahead, by another host's clock, counts as now. */
export function judgeTry(tries: readonly number[], now: number): TryVerdict {
  const counted = tries.map((at) => Math.min(at, now)).filter((at) => now - at < triesMs);
  const first = counted.at(-triesMax);
  if (first === undefined) return { kind: "admitted", tries: [...counted, now] };
  return { kind: "refused", waitSeconds: Math.max(shortestWaitSeconds, Math.ceil((first + triesMs - now) / 1_000)) };
}
