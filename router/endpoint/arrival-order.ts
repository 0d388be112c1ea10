import type { SessionId } from "../../shared/contract/ids.js";

/** Lets requests of one session that wait side by side go on in the order in which they came. */
export class ArrivalOrder {
  private readonly last = new Map<SessionId, Promise<unknown>>();

  /** Whether a request of the session waits. */
  waits(session: SessionId): boolean {
    return this.last.has(session);
  }

  /** Begins `work` at once. Settles as `work` does, but not before the requests that came earlier. */
  async run<T>(session: SessionId, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(session);
    const working = work();
    const settled = Promise.allSettled([before, working]);
    this.last.set(session, settled);
    try {
      await before;
      return await working;
    } finally {
      if (this.last.get(session) === settled) this.last.delete(session);
    }
  }
}
