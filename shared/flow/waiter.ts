import type { Ending } from "./ending.js";

export interface WaiterOptions<T> {
  /** Not yet aborted. */
  readonly signal?: Ending | undefined;
  /** `ms`: longest wait. `late` makes the value that the waiter gets after it. If absent, the wait has no limit. */
  readonly time?: { readonly ms: number; readonly late: () => T } | undefined;
  /** Removes the waiter from its queue when its signal aborts or its time is over. */
  readonly leave: () => void;
  /** Takes back a value that was given in the same turn in which the signal aborted. If absent, the value stays given. */
  readonly giveBack?: (given: T) => void;
}

/**
 * An entry in a queue that ends with a value, after its time, or by its signal, whichever comes
 * first. Later events have no effect. The queue decides the order and the values.
 */
export class Waiter<T> {
  private readonly outcome: Promise<T>;
  private resolve: (given: T) => void = () => undefined;
  private onAbort: () => void = () => undefined;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WaiterOptions<T>) {
    const { signal, time } = options;
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.onAbort = () => {
        this.end();
        options.leave();
        reject(signal?.reason);
      };
    });
    signal?.addEventListener("abort", this.onAbort, { once: true });
    if (time !== undefined) this.timer = setTimeout(() => this.giveUp(time.late), time.ms);
  }

  give(given: T): void {
    this.end();
    this.resolve(given);
  }

  /** Rejects with the signal's reason when it aborts first. */
  async given(): Promise<T> {
    const { signal, giveBack } = this.options;
    const given = await this.outcome;
    if (signal?.aborted !== true || giveBack === undefined) return given;
    giveBack(given);
    throw signal.reason;
  }

  private giveUp(late: () => T): void {
    this.end();
    this.options.leave();
    this.resolve(late());
  }

  private end(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener("abort", this.onAbort);
  }
}
