type Listener = () => void;

/** What our own waits need of an `AbortSignal`, which is one. */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: Listener, options?: { once: true }): void;
  removeEventListener(type: "abort", listener: Listener): void;
  throwIfAborted(): void;
}

/**
 * An end of one call: told by `abort`, by the first of its sources, or by its deadline. What an `AbortController` with its signal does for those who only listen, at a tenth of its
 * memory: each command has several, all of which garbage collection must copy while the command waits. Node's own functions and libraries need a real signal: see `openScope`.
 */
export class End implements Ending {
  private told = false;
  private why: unknown;
  private readonly listeners: Listener[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly onSource: Listener | undefined;

  /** With sources or a deadline it is to be closed, or long-lived sources would collect listeners. */
  constructor(
    private readonly sources: readonly Ending[] = [],
    deadlineMs?: number,
  ) {
    if (deadlineMs !== undefined) this.timer = setTimeout(() => this.abort(new DOMException("deadline", "TimeoutError")), deadlineMs);
    if (sources.length > 0) this.onSource = () => this.abort(sources.find((source) => source.aborted)?.reason);
    for (const source of sources) {
      if (source.aborted) this.abort(source.reason);
      else if (this.onSource !== undefined) source.addEventListener("abort", this.onSource, { once: true });
    }
  }

  get aborted(): boolean {
    return this.told;
  }

  /** Made when it is asked for where none was given: an exception takes its stack as it is made, and most ends are only heard. */
  get reason(): unknown {
    if (this.told) this.why ??= new DOMException("ended", "AbortError");
    return this.why;
  }

  /** Only the first reason counts. */
  abort(reason?: unknown): void {
    if (this.told) return;
    this.told = true;
    this.why = reason;
    for (const listener of this.listeners.splice(0)) listener();
  }

  /** Each listener is called once at most. */
  addEventListener(_type: "abort", listener: Listener): void {
    if (!this.told) this.listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: Listener): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }

  throwIfAborted(): void {
    if (this.told) throw this.reason;
  }

  /** Takes it off its sources and stops its timer: nothing ends it any more but `abort`. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.onSource === undefined) return;
    for (const source of this.sources) source.removeEventListener("abort", this.onSource);
  }
}
