/** Failures of one key within a minute, and in the minute before. */
interface Window {
  startedAt: number;
  failures: number;
  before: number;
}

const windowMs = 60_000;

/** Counts failures by key over a sliding minute, which the last whole minute's count is weighed into. Bounded: the key that has failed the longest ago makes room. */
export class FailureCounts {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly perMinute: number,
    private readonly keysMax = 10_000,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  /** Milliseconds until one more failure of this key is not too many; 0 while it is not. */
  waitMs(key: string, now: number): number {
    const window = this.windows.get(key);
    if (window === undefined) return 0;
    const { startedAt, failures, before } = turned(window, now);
    const into = (now - startedAt) / windowMs;
    if (failures + before * (1 - into) < this.perMinute) return 0;
    // In this minute there is room once enough of the last one has passed; otherwise in the next.
    const inThis = failures < this.perMinute ? startedAt + windowMs * (1 - (this.perMinute - failures) / before) : Infinity;
    return Math.max(1, Math.min(inThis, startedAt + windowMs) - now);
  }

  add(key: string, failures: number, now: number): void {
    const window = turned(this.windows.get(key) ?? { startedAt: now, failures: 0, before: 0 }, now);
    this.windows.delete(key);
    this.windows.set(key, { ...window, failures: window.failures + failures });
    const [oldest] = this.windows.keys();
    if (this.windows.size > this.keysMax && oldest !== undefined) this.windows.delete(oldest);
  }
}

/** The window that is open now. */
function turned(window: Window, now: number): Window {
  const passed = Math.floor((now - window.startedAt) / windowMs);
  if (passed <= 0) return window;
  return { startedAt: window.startedAt + passed * windowMs, failures: 0, before: passed === 1 ? window.failures : 0 };
}
