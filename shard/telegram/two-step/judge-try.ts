/** Password tries of a session within an hour. The platform has its own limit; this one keeps the account from being slowed down by it. */
export const triesMax = 5;
export const triesMs = 3_600_000;
/** Variant B: "Waits under one minute are waited out automatically. Longer ones come back as an error". A try has no time to wait. */
const shortestWaitSeconds = 60;

/** `tries` lists the times of the session's tries, including this one if it is admitted. */
export type TryVerdict =
  | { readonly kind: "admitted"; readonly tries: readonly number[] }
  | { readonly kind: "refused"; readonly waitSeconds: number };

/**
 * Decides whether a session may try a password now. Times are milliseconds since 1970, the oldest first. A future time, by another host's
 * clock, counts as now.
 */
export function judgeTry(tries: readonly number[], now: number): TryVerdict {
  const counted = tries.map((at) => Math.min(at, now)).filter((at) => now - at < triesMs);
  const first = counted.at(-triesMax);
  if (first === undefined) return { kind: "admitted", tries: [...counted, now] };
  return { kind: "refused", waitSeconds: Math.max(shortestWaitSeconds, Math.ceil((first + triesMs - now) / 1_000)) };
}
