/** A request's place among those of its caller. */
export interface Arrival {
  /** Resolves when the requests that were complete earlier have left; rejects when the request does not become complete. */
  turn(): Promise<unknown>;
  /** Later ones may go on. Idempotent. */
  leave(): void;
}

/** Lets requests of one caller that are checked side by side go on in the order in which they came in, so that a slow check does not swap two of them. */
export class ArrivalOrder {
  private readonly lasts = new Map<string, Promise<unknown>>();

  /** `complete`: the request has come in as a whole, which gives it its place. */
  arrive(caller: string, complete: Promise<unknown>): Arrival {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const turn = complete.then(() => {
      const before = this.lasts.get(caller);
      const over = Promise.all([before, left]).then(() => {
        if (this.lasts.get(caller) === over) this.lasts.delete(caller);
      });
      this.lasts.set(caller, over);
      return before;
    });
    // A request that is refused by its head never asks for its turn.
    turn.catch(() => undefined);
    return { turn: () => turn, leave };
  }
}
