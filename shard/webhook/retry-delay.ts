import type { AttemptResult } from "./attempt-result.js";
import type { WebhookTiming } from "./timing.js";

/**
 * Returns the milliseconds to wait after attempt number `attempts`: growing, times 0.8 to 1.2 so that sessions that failed together do not
 * retry together, and no less than the receiver requested.
 */
export function retryDelayMs(attempts: number, result: AttemptResult, timing: WebhookTiming, random: () => number = Math.random): number {
  const { delaysMs, delayMaxMs, retryAfterMaxMs } = timing;
  const last = delaysMs.at(-1) ?? delayMaxMs;
  const grown = result.status === 410 ? delayMaxMs : (delaysMs[attempts - 1] ?? last * 2 ** Math.min(attempts - delaysMs.length, 30));
  const requested = Math.min(result.retryAfterMs ?? 0, retryAfterMaxMs);
  return Math.max(requested, Math.min(grown, delayMaxMs) * (0.8 + 0.4 * random()));
}

/** Parses `Retry-After`, given in seconds or as a date, to milliseconds. Returns `undefined` when it is neither. */
export function parseRetryAfter(value: string | readonly string[] | undefined, now = Date.now()): number | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has letters. The date parser would also take other text, such as `-5`.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
