/** Runs at most one call per key at a time: callers that join get the same outcome. Outcomes are not kept. */
export class SingleFlight<T> {
  private readonly running = new Map<string, SharedCall<T>>();

  /** Calls running now. */
  get size(): number {
    return this.running.size;
  }

  has(key: string): boolean {
    return this.running.has(key);
  }

  /**
   * Starts the call or joins the running one. A caller whose `signal` ends leaves at once; when the last one left, the call's own
   * signal is aborted with that one's reason, and the next caller starts anew.
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const call = this.running.get(key) ?? this.begin(key, start);
    call.callers++;
    let onAbort: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      onAbort = () => reject(toError(signal.reason));
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([call.outcome, left]);
    } finally {
      if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
      call.callers--;
      if (call.callers === 0 && this.running.get(key) === call) {
        this.running.delete(key);
        call.controller.abort(signal.reason);
      }
    }
  }

  private begin(key: string, start: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const controller = new AbortController();
    const call: SharedCall<T> = { controller, callers: 0, outcome: start(controller.signal) };
    this.running.set(key, call);
    const forget = (): void => {
      if (this.running.get(key) === call) this.running.delete(key);
    };
    // Both results are handled here, so that an outcome without callers does not count as unhandled.
    call.outcome.then(forget, forget);
    return call;
  }
}

interface SharedCall<T> {
  readonly outcome: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("call was left", { cause: reason });
}
