const firstMs = 1_000;
const longestMs = 30_000;

/** How long to wait before the next attempt: what the server asked for at first, then twice as long each time, up to half a minute. `spread` from 0 to 1 keeps clients apart. */
export function reconnectDelay(failures: number, askedMs: number | undefined, spread: number): number {
  const base = Math.max(askedMs ?? firstMs, firstMs);
  return Math.min(longestMs, base * 2 ** Math.min(failures, 10)) * (0.75 + 0.5 * spread);
}
