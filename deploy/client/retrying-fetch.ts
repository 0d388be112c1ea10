import { setTimeout as pause } from "node:timers/promises";
import { defaultTries, nextTry, type Tried, type Tries } from "./next-try.js";

export type Fetch = (request: Request) => Promise<Response>;

/** Returns a `fetch` that retries safe requests and respects the gateway's `Retry-After`. The request's signal also ends the waits. */
export function retryingFetch(given: Partial<Tries> = {}, send: Fetch = fetch): Fetch {
  const tries = { ...defaultTries, ...given };
  return async (request) => {
    const of = { method: request.method, hasKey: request.headers.has("idempotency-key") };
    let waitedMs = 0;
    for (let done = 1; ; done++) {
      const outcome = await once(send, request.clone());
      const waitMs = nextTry(of, outcome.tried, { done, waitedMs }, tries, Math.random());
      if (waitMs === undefined || request.signal.aborted) {
        if (outcome.response === undefined) throw outcome.error;
        return outcome.response;
      }
      await outcome.response?.body?.cancel();
      waitedMs += waitMs;
      await pause(waitMs, undefined, { signal: request.signal });
    }
  };
}

type Outcome = { readonly tried: Tried } & (
  | { readonly response: Response; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown }
);

async function once(send: Fetch, request: Request): Promise<Outcome> {
  try {
    const response = await send(request);
    const { status, headers } = response;
    return { response, tried: { kind: "answer", status, errorCode: headers.get("x-error-code"), retryAfter: headers.get("retry-after") } };
  } catch (error) {
    return { error, tried: { kind: "broken" } };
  }
}
