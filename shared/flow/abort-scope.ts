import type { Ending } from "./end.js";

/** One call's end: aborted by any of its sources or by its deadline, whichever is first. */
export interface AbortScope {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
  /** Takes the scope off its sources and stops its timer. Every scope is closed, or long-lived sources would collect listeners. */
  close(): void;
}

/**
 * Opens a scope that ends with the first source's own reason, or with `late` after `deadlineMs` (absent: only its sources end it).
 *
 * Not `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: nothing holds that timeout but the combined signal, weakly, so on Node 20 a garbage
 * collection drops it and it never fires; and each combination leaves something behind at a source that lives long.
 *
 * Where only our own code listens, an `End` is the same and lighter.
 */
export function openScope(sources: readonly Ending[], deadlineMs?: number, late?: unknown): AbortScope {
  const controller = new AbortController();
  const abort = (reason: unknown): void => controller.abort(reason);
  // Made when it is needed: an exception takes its stack as it is made, and almost no scope ends late.
  const timer =
    deadlineMs === undefined ? undefined : setTimeout(() => abort(late ?? new DOMException("deadline", "TimeoutError")), deadlineMs);
  const listeners = sources.map((source) => {
    const listener = (): void => abort(source.reason);
    if (source.aborted) listener();
    else source.addEventListener("abort", listener, { once: true });
    return () => source.removeEventListener("abort", listener);
  });
  return {
    signal: controller.signal,
    abort,
    close: () => {
      clearTimeout(timer);
      for (const remove of listeners) remove();
    },
  };
}

/** Waits for `work`, but no longer than the signal lives. The work itself goes on; whoever started it ends it, and its late rejection counts as handled. */
export function untilAborted<T>(work: Promise<T>, signal: Ending): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
