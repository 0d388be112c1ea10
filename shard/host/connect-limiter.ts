/** Reliability sheet 2.13: connects in progress, and connects begun a second, per shard. */
const inProgressMax = 20;
const perSecond = 50;
/** A connect that has neither succeeded nor failed by then no longer counts as in progress. */
const progressMs = 15_000;

interface Waiting {
  urgent: boolean;
  begin: () => void;
}

/**
 * Admits connects, after a takeover and after a loss alike: 20 in progress and 50 a second. Urgent ones go first: somebody waits, with a command or in
 * front of a QR code. What waits is bounded by the sessions that this shard hosts.
 */
export class ConnectLimiter {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inProgress = new Map<string, NodeJS.Timeout>();
  private nextAt = 0;
  private timer: NodeJS.Timeout | undefined;

  get queued(): number {
    return this.waiting.size;
  }

  get connecting(): number {
    return this.inProgress.size;
  }

  /** Resolves when the session may connect, or at once when the signal is aborted. */
  async admit(id: string, urgent: boolean, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const onAbort = (): void => {
        this.waiting.delete(id);
        resolve();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(id, {
        urgent,
        begin: () => {
          signal.removeEventListener("abort", onAbort);
          this.inProgress.set(id, setTimeout(() => this.done(id), progressMs));
          resolve();
        },
      });
      this.pump();
    });
  }

  /** A command waits for this session: it connects before the others. */
  hurry(id: string): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined || waiting.urgent) return;
    waiting.urgent = true;
    this.pump();
  }

  /** The session's connect has succeeded or failed. Idempotent. */
  done(id: string): void {
    clearTimeout(this.inProgress.get(id));
    if (this.inProgress.delete(id)) this.pump();
  }

  stop(): void {
    clearTimeout(this.timer);
    for (const timer of this.inProgress.values()) clearTimeout(timer);
    this.inProgress.clear();
    this.waiting.clear();
  }

  private pump(): void {
    while (this.waiting.size > 0 && this.inProgress.size < inProgressMax) {
      const now = performance.now();
      if (now < this.nextAt) return this.later(this.nextAt - now);
      this.nextAt = Math.max(now - 1_000 / perSecond, this.nextAt) + 1_000 / perSecond;
      const [id, next] = this.pick();
      this.waiting.delete(id);
      next.begin();
    }
  }

  private pick(): [string, Waiting] {
    for (const entry of this.waiting) if (entry[1].urgent) return entry;
    const [first] = this.waiting;
    if (first === undefined) throw new Error("nothing waits");
    return first;
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pump(), Math.ceil(ms));
  }
}
