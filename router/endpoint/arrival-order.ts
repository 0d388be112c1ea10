/** A request's place among the requests of its caller. */
export interface Arrival {
  /** Resolves when all requests that were complete earlier have left. Rejects if this request does not become complete. */
  turn(): Promise<unknown>;
  /** Lets later requests continue. Idempotent. */
  leave(): void;
}

/**
 * Keeps the requests of one caller in their order of arrival while they are checked in parallel, so that a slow check does not swap two of
 * them.
 */
export class ArrivalOrder {
  private readonly lasts = new Map<string, Promise<unknown>>();

  /** Registers a request. `complete` resolves when the whole request has arrived, which determines its place. */
  arrive(caller: string, complete: Promise<unknown>): Arrival {
    let leave: (() => void) | undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const turn = complete.then(() => {
      const before = this.lasts.get(caller);
      const over = (before === undefined ? left : before.then(() => left)).then(() => {
        if (this.lasts.get(caller) === over) this.lasts.delete(caller);
      });
      this.lasts.set(caller, over);
      return before;
    });
    // A request that is rejected by its head never waits for its turn.
    turn.catch(() => undefined);
    return {
      turn: () => turn,
      // Node calls back for a promise that is resolved again, which costs microseconds.
      leave: () => {
        leave?.();
        leave = undefined;
      },
    };
  }
}
