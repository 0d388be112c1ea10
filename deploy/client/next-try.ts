/** Outcome of one attempt of a request. */
export type Tried =
  | { readonly kind: "answer"; readonly status: number; readonly errorCode: string | null; readonly retryAfter: string | null }
  /** The connection failed, so it is unknown whether the gateway received the request. */
  | { readonly kind: "broken" };

export interface Tries {
  /** Including the first attempt. */
  readonly attempts: number;
  /** Limit for the sum of all waits of one request. */
  readonly waitMaxMs: number;
  /** First wait if the gateway sends no `Retry-After`; each further wait doubles. */
  readonly firstWaitMs: number;
}

export const defaultTries: Tries = { attempts: 4, waitMaxMs: 60_000, firstWaitMs: 500 };

/**
 * Returns the wait in ms before the next attempt; `undefined` if there is none. After 429 or `busy` nothing has begun, so every request is
 * retried; otherwise only reads and requests with an `Idempotency-Key`. Pure.
 */
export function nextTry(
  { method, hasKey }: { readonly method: string; readonly hasKey: boolean },
  tried: Tried,
  { done, waitedMs }: { readonly done: number; readonly waitedMs: number },
  tries: Tries,
  chance: number,
): number | undefined {
  if (done >= tries.attempts || !mayRepeat(tried, hasKey || method === "GET" || method === "HEAD")) return undefined;
  const named = tried.kind === "answer" ? secondsOf(tried.retryAfter) : undefined;
  const waitMs = named === undefined ? tries.firstWaitMs * 2 ** (done - 1) * chance : named * 1_000;
  return waitedMs + waitMs > tries.waitMaxMs ? undefined : waitMs;
}

function mayRepeat(tried: Tried, isSafe: boolean): boolean {
  if (tried.kind === "broken") return isSafe;
  const { status, errorCode } = tried;
  // The wait for a daily quota or a platform's limit exceeds `waitMaxMs`, or there is none.
  if (status === 429 || errorCode === "busy") return true;
  return isSafe && (status === 502 || status === 503 || status === 504 || errorCode === "session-not-ready");
}

function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
