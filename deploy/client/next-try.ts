/** How one try of a request ended. */
export type Tried =
  | { readonly kind: "answer"; readonly status: number; readonly errorCode: string | null; readonly retryAfter: string | null }
  /** The connection broke, or there was none: nobody knows whether the request was taken in. */
  | { readonly kind: "broken" };

export interface Tries {
  /** Including the first. */
  readonly attempts: number;
  /** Of all waits of one request together. */
  readonly waitMaxMs: number;
  /** Of the first wait that the gateway does not name; each further one is twice as long. */
  readonly firstWaitMs: number;
}

export const defaultTries: Tries = { attempts: 4, waitMaxMs: 60_000, firstWaitMs: 500 };

/**
 * How long to wait before the next try; `undefined` where there is none. 429 and `busy` are said only of what has not begun, so everything may be sent again then. Where it may have
 * begun, only what changes nothing is, and what has an `Idempotency-Key`. Pure; `chance` is from 0 to 1.
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
  // A day's messages, or a platform's long wait: the wait itself is too long, or there is none.
  if (status === 429 || errorCode === "busy") return true;
  return isSafe && (status === 502 || status === 503 || status === 504 || errorCode === "session-not-ready");
}

function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
