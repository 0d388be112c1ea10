import { AbortScope } from "../../../shared/flow/abort-scope.js";

export interface AskedWithin extends Omit<RequestInit, "signal"> {
  readonly signal: AbortSignal;
  /** To the end of what is read of the answer. */
  readonly withinMs: number;
}

/** One request of something that is no gateway, and of its answer what `read` makes of it. Rejects with what `fetch` or `read` throws, or the signal's reason. */
export async function askWithin<T>(
  url: string | URL,
  { signal, withinMs, ...init }: AskedWithin,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const scope = new AbortScope([signal], withinMs);
  try {
    return await read(await fetch(url, { ...init, signal: scope.signal }));
  } finally {
    scope.close();
  }
}
