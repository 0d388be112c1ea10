import { AbortScope } from "../../../shared/flow/abort-scope.js";

export interface FetchWithin extends Omit<RequestInit, "signal"> {
  readonly signal: AbortSignal;
  /** Deadline in ms for the request and for reading its response. */
  readonly withinMs: number;
}

/**
 * Sends one request to a server that is not a gateway, and reads the response with `read`. Rejects with the error of `fetch` or `read`, or
 * the signal's reason.
 */
export async function fetchWithin<T>(
  url: string | URL,
  { signal, withinMs, ...init }: FetchWithin,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const scope = new AbortScope([signal], withinMs);
  try {
    return await read(await fetch(url, { ...init, signal: scope.signal }));
  } finally {
    scope.close();
  }
}
