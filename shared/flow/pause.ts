import type { Ending } from "./ending.js";

/**
 * Resolves after `ms` (`Infinity`: only by a signal), or at once when a signal aborts. Never
 * rejects; leaves no timer or listener.
 */
export function pause(ms: number, ...signals: readonly Ending[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener("abort", done, { once: true });
  });
}
