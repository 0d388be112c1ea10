import { pause } from "../../shared/flow/pause.js";

/** Lets callers wait for the next of something that comes now and then, such as a login. Nothing is kept for those who gave up. */
export class Broadcast<T> {
  private readonly waiting = new Set<(value: T) => void>();

  send(value: T): void {
    for (const resolve of this.waiting) resolve(value);
    this.waiting.clear();
  }

  /** `undefined` after `ms`, or when a signal aborts. */
  async next(ms: number, ...signals: readonly AbortSignal[]): Promise<T | undefined> {
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
