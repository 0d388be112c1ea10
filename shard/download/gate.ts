/** `limit` places in all, `perKey` of them for one key, and a waiting line of at most `maxWaiting`. */
export interface GateOptions {
  readonly limit: number;
  readonly perKey: number;
  readonly maxWaiting: number;
}

/** Gives a place back. Calling it again does nothing. */
export type Release = () => void;

interface Waiter {
  readonly key: string;
  readonly admit: () => void;
}

/** Bounds what runs at once, in order of arrival; a key at its own limit lets others pass. Does no I/O and holds no timer. */
export class Gate {
  private running = 0;
  private readonly runningByKey = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(private readonly options: GateOptions) {}

  /** Running and waiting together. */
  get size(): number {
    return this.running + this.waiting.size;
  }

  /** Waits for a place. Resolves with undefined at once when the line is full; rejects with the signal's reason when it aborts first. */
  async enter(key: string, signal: AbortSignal): Promise<Release | undefined> {
    signal.throwIfAborted();
    if (this.hasPlace(key)) return this.admit(key);
    if (this.waiting.size >= this.options.maxWaiting) return undefined;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting.delete(waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        key,
        admit: () => {
          this.waiting.delete(waiter);
          signal.removeEventListener("abort", onAbort);
          resolve(this.admit(key));
        },
      };
      this.waiting.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  private hasPlace(key: string): boolean {
    return this.running < this.options.limit && (this.runningByKey.get(key) ?? 0) < this.options.perKey;
  }

  private admit(key: string): Release {
    this.running++;
    this.runningByKey.set(key, (this.runningByKey.get(key) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.leave(key);
    };
  }

  private leave(key: string): void {
    this.running--;
    const left = (this.runningByKey.get(key) ?? 0) - 1;
    if (left > 0) this.runningByKey.set(key, left);
    else this.runningByKey.delete(key);
    for (const waiter of this.waiting) {
      if (this.running >= this.options.limit) return;
      if (this.hasPlace(waiter.key)) waiter.admit();
    }
  }
}
