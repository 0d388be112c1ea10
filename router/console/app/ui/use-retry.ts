import { useEffect } from "preact/hooks";
import type { ApiFailure } from "../api/failure.js";

const retryMs = 5_000;

/** Retries after a temporary failure: no response, or a 5xx status. */
export function useRetry(failure: ApiFailure | undefined, retry: () => void): void {
  useEffect(() => {
    if (failure === undefined || (failure.status !== 0 && failure.status < 500)) return undefined;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [failure]);
}
