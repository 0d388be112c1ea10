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
  readonly turnAway: () => void;
}

/**
 * Bounds what runs at once, fairly by key. Of those who wait, the key that has least running goes first, then whoever came first; a key at its own limit lets others
 * pass. When the line is full, the last of the key with the most in it makes room for a key with less. Does no I/O and holds no timer.
 */
export class Gate {
  private running = 0;
  private readonly runningByKey = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(private readonly options: GateOptions) {}

  /** Running and waiting together. */
  get size(): number {
    return this.running + this.waiting.size;
  }

  /** Waits for a place. Resolves with undefined when the line is full, at once or as others need it more; rejects with the signal's reason when it aborts first. */
  async enter(key: string, signal: AbortSignal): Promise<Release | undefined> {
    signal.throwIfAborted();
    if (this.hasPlace(key)) return this.admit(key);
    if (this.waiting.size >= this.options.maxWaiting && !this.makeRoom(key)) return undefined;
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        this.waiting.delete(waiter);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        leaveLine();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        key,
        admit: () => {
          leaveLine();
          resolve(this.admit(key));
        },
        turnAway: () => {
          leaveLine();
          resolve(undefined);
        },
      };
      this.waiting.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** False when no key has more in the line than this one would have. */
  private makeRoom(key: string): boolean {
    const lengths = new Map<string, number>();
    for (const waiter of this.waiting) lengths.set(waiter.key, (lengths.get(waiter.key) ?? 0) + 1);
    const longest = Math.max(0, ...lengths.values());
    if (longest <= (lengths.get(key) ?? 0) + 1) return false;
    [...this.waiting].findLast((waiter) => lengths.get(waiter.key) === longest)?.turnAway();
    return true;
  }

  private runningOf(key: string): number {
    return this.runningByKey.get(key) ?? 0;
  }

  private hasPlace(key: string): boolean {
    return this.running < this.options.limit && this.runningOf(key) < this.options.perKey;
  }

  private admit(key: string): Release {
    this.running++;
    this.runningByKey.set(key, this.runningOf(key) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.leave(key);
    };
  }

  private leave(key: string): void {
    this.running--;
    const left = this.runningOf(key) - 1;
    if (left > 0) this.runningByKey.set(key, left);
    else this.runningByKey.delete(key);
    this.next()?.admit();
  }

  /** One place was given back, so there is room for one at most. */
  private next(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of this.waiting) {
      if (!this.hasPlace(waiter.key)) continue;
      if (next === undefined || this.runningOf(waiter.key) < this.runningOf(next.key)) next = waiter;
      if (this.runningOf(next.key) === 0) break;
    }
    return next;
  }
}
