import { useEffect } from "preact/hooks";
import type { ApiFailure } from "../api/failure.js";

const retryMs = 5_000;

/** Reads again by itself after a failure that passes: no answer, or a fault of the gateway. */
export function useRetry(failure: ApiFailure | undefined, retry: () => void): void {
  useEffect(() => {
    if (failure === undefined || (failure.status !== 0 && failure.status < 500)) return undefined;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [failure]);
}
