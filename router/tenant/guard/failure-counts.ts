/** Failures of one key in this minute and in the one before. */
interface Window {
  startedAt: number;
  failures: number;
  before: number;
}

const windowMs = 60_000;

/**
 * Counts failures per key over a sliding minute, which includes a weighted share of the last minute. Evicts the key whose last failure is
 * oldest.
 */
export class FailureCounts {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly perMinute: number,
    private readonly keysMax = 10_000,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  /** Returns the milliseconds until this key may fail again; 0 if it may now. */
  waitMs(key: string, now: number): number {
    const window = this.windows.get(key);
    if (window === undefined) return 0;
    const { startedAt, failures, before } = turned(window, now);
    const into = (now - startedAt) / windowMs;
    if (failures + before * (1 - into) < this.perMinute) return 0;
    // This minute has room once enough of the last one has passed; otherwise the next minute has.
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

/** Returns the current window. */
function turned(window: Window, now: number): Window {
  const passed = Math.floor((now - window.startedAt) / windowMs);
  if (passed <= 0) return window;
  return { startedAt: window.startedAt + passed * windowMs, failures: 0, before: passed === 1 ? window.failures : 0 };
}
