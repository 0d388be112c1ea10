const firstMs = 1_000;
const longestMs = 30_000;

/**
 * Returns the delay before the next attempt: first the server's, then doubled up to half a minute. `spread` from 0 to 1 varies it between
 * clients.
 */
export function reconnectDelay(failures: number, askedMs: number | undefined, spread: number): number {
  const base = Math.max(askedMs ?? firstMs, firstMs);
  return Math.min(longestMs, base * 2 ** Math.min(failures, 10)) * (0.75 + 0.5 * spread);
}
