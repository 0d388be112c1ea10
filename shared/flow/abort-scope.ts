import type { Ending } from "./ending.js";

/**
 * Ends one call at its first aborted source, after `deadlineMs`, or by `abort`. `signal` is created on first
 * read, because it costs 25 µs. `AbortSignal.any` loses timeouts to garbage collection on Node 20.
 */
export class AbortScope implements Ending {
  private isOver = false;
  private why: unknown;
  private readonly listeners: (() => void)[] = [];
  private controller: AbortController | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onSource: (() => void) | undefined;

  /** With sources or a deadline the scope must be closed, or long-lived sources collect listeners. */
  constructor(
    private readonly sources: readonly Ending[] = [],
    deadlineMs?: number,
    late?: unknown,
  ) {
    if (deadlineMs !== undefined)
      this.timer = setTimeout(() => this.abort(late ?? new DOMException("deadline", "TimeoutError")), deadlineMs);
    if (sources.length > 0) this.onSource = () => this.abort(sources.find((source) => source.aborted)?.reason);
    for (const source of sources) {
      if (source.aborted) this.abort(source.reason);
      else if (this.onSource !== undefined) source.addEventListener("abort", this.onSource, { once: true });
    }
  }

  get aborted(): boolean {
    return this.isOver;
  }

  /** A missing reason is made when it is first read: an exception takes its stack when it is made, and most reasons are never read. */
  get reason(): unknown {
    if (this.isOver) this.why ??= new DOMException("ended", "AbortError");
    return this.why;
  }

  /** Signal for Node's own functions and for libraries. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isOver) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** Only the first reason counts. */
  abort(reason?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.why = reason;
    // One after the other: a listener may remove later ones, as with a signal.
    for (let next = this.listeners.shift(); next !== undefined; next = this.listeners.shift()) next();
    this.controller?.abort(this.reason);
  }

  /** Each listener is called once at most. */
  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.isOver) this.listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }

  throwIfAborted(): void {
    if (this.isOver) throw this.reason;
  }

  /** Removes its listeners from the sources and stops the timer: only `abort` ends the scope from now on. */
  close(): void {
    clearTimeout(this.timer);
    if (this.onSource === undefined) return;
    for (const source of this.sources) source.removeEventListener("abort", this.onSource);
  }
}

/** Returns the end as a signal for Node's own functions and for libraries. */
export function signalOf(ending: AbortScope | AbortSignal): AbortSignal {
  return ending instanceof AbortScope ? ending.signal : ending;
}

/** Waits for `work` until the signal aborts. The work itself continues, and its late rejection counts as handled. */
export function untilAborted<T>(work: Promise<T>, signal: Ending): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
