/** Connects in progress, and connects begun a second, per shard. */
const inProgressMax = 20;
const perSecond = 50;
/** A connect that has neither succeeded nor failed by then no longer counts as in progress. */
const progressMs = 15_000;
/** While the event loop lags more than `lateMs`, fewer sessions connect at once; below `inTimeMs`, more. One step per second. */
const lateMs = 500;
const inTimeMs = 150;
const inProgressMin = 2;
const stepMs = 1_000;
const stepUp = 4;
/** Most time for which a young account lets others go first. */
const yieldsMs = 60_000;
/** Others may follow until this long after the last one: at a start, sessions come slot by slot. */
const quietMs = 2_000;

/** A session's request to connect. */
export interface ConnectRequest {
  /** A caller or user waits for the connection. */
  readonly isUrgent: boolean;
  /** Its account was linked lately. */
  readonly isYoung: boolean;
}

interface Waiting {
  isUrgent: boolean;
  /** Monotonic milliseconds: until then it lets others go first. */
  readonly yieldsUntil: number;
  readonly begin: () => void;
}

/**
 * Limits connects after takeovers and losses: slow parallel connects would time out together and begin again. Urgent sessions go first.
 * Young accounts yield for up to a minute, because platforms watch them most closely.
 */
export class ConnectLimiter {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inProgress = new Map<string, NodeJS.Timeout>();
  private nextAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private allowedNow = inProgressMax;
  private steppedAt = -Infinity;
  /** Time at which the last session that is not young arrived. */
  private otherCameAt = -Infinity;

  /** How late the event loop is, ms. */
  constructor(private readonly lagMs: () => number = () => 0) {}

  get queued(): number {
    return this.waiting.size;
  }

  get connecting(): number {
    return this.inProgress.size;
  }

  /** Young accounts that let others go first. */
  get yielding(): number {
    const now = performance.now();
    return [...this.waiting.values()].filter((waiting) => yields(waiting, now)).length;
  }

  /** Number of connects currently allowed at once. */
  get allowed(): number {
    return this.allowedNow;
  }

  /** Resolves when the session may connect, or at once when the signal is aborted. */
  async admit(id: string, { isUrgent, isYoung }: ConnectRequest, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!isYoung) this.otherCameAt = performance.now();
    await new Promise<void>((resolve) => {
      const onAbort = (): void => {
        this.waiting.delete(id);
        resolve();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(id, {
        isUrgent,
        yieldsUntil: isYoung ? performance.now() + yieldsMs : -Infinity,
        begin: () => {
          signal.removeEventListener("abort", onAbort);
          this.watch(id);
          resolve();
        },
      });
      this.pump();
    });
  }

  /** A command waits for this session: it connects before the others. */
  prioritize(id: string): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined || waiting.isUrgent) return;
    waiting.isUrgent = true;
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

  /** Where everything is late, a connect that takes long is still under way. */
  private watch(id: string): void {
    this.inProgress.set(
      id,
      setTimeout(() => (this.lagMs() > lateMs ? this.watch(id) : this.done(id)), progressMs),
    );
  }

  private adapt(): void {
    const now = performance.now();
    if (now - this.steppedAt < stepMs) return;
    const lag = this.lagMs();
    const wanted =
      lag > lateMs
        ? Math.max(inProgressMin, Math.floor(this.allowedNow / 2))
        : lag < inTimeMs
          ? Math.min(inProgressMax, this.allowedNow + stepUp)
          : this.allowedNow;
    if (wanted === this.allowedNow) return;
    this.allowedNow = wanted;
    this.steppedAt = now;
  }

  private pump(): void {
    this.adapt();
    const gapMs = (1_000 / perSecond) * (inProgressMax / this.allowedNow);
    while (this.waiting.size > 0) {
      // Even if no connect ends, the allowed number may change by then.
      if (this.inProgress.size >= this.allowedNow) return this.later(stepMs);
      const now = performance.now();
      if (now < this.nextAt) return this.later(this.nextAt - now);
      const picked = this.pick(now);
      // A session that comes earlier triggers a check at once.
      if (picked === undefined) return this.later(this.otherCameAt + quietMs - now);
      this.nextAt = Math.max(now - gapMs, this.nextAt) + gapMs;
      const [id, next] = picked;
      this.waiting.delete(id);
      next.begin();
    }
  }

  /**
   * Picks urgent sessions first, then those that do not yield, then young ones once no others come; each in order of arrival. `undefined`:
   * the young wait.
   */
  private pick(now: number): [string, Waiting] | undefined {
    let [other, young]: ([string, Waiting] | undefined)[] = [];
    for (const entry of this.waiting) {
      if (entry[1].isUrgent) return entry;
      if (yields(entry[1], now)) young ??= entry;
      else other ??= entry;
    }
    return other ?? (now < this.otherCameAt + quietMs ? undefined : young);
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pump(), Math.ceil(ms));
  }
}

function yields({ isUrgent, yieldsUntil }: Waiting, now: number): boolean {
  return !isUrgent && now < yieldsUntil;
}
