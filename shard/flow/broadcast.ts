import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";

/** Lets callers wait for the next of an occasional event, such as a login. Keeps nothing for callers that no longer wait. */
export class Broadcast<T> {
  private readonly waiting = new Set<(value: T) => void>();

  send(value: T): void {
    for (const resolve of this.waiting) resolve(value);
    this.waiting.clear();
  }

  /** Returns `undefined` after `ms`, or when a signal aborts. */
  async next(ms: number, ...signals: readonly Ending[]): Promise<T | undefined> {
    const bound = new AbortController();
    let taken: (value: T) => void = () => undefined;
    const sent = new Promise<T>((resolve) => {
      taken = resolve;
      this.waiting.add(resolve);
    });
    const value = await Promise.race([sent, pause(ms, bound.signal, ...signals)]);
    bound.abort();
    this.waiting.delete(taken);
    return value ?? undefined;
  }
}
