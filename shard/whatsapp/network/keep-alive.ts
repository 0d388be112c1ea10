export interface KeepAliveOptions {
  /** Pause between two pings. */
  readonly pingMs: number;
  /** How late an answer may be before the server seems silent, and the time that it then has for a last ping. 5 s when absent. */
  readonly graceMs?: number;
  readonly ping: () => void;
  /** Called once, when the server is silent. */
  readonly onSilence: (silentMs: number) => void;
}

/**
 * Pings a server and finds out when it is silent, in place of the library's own keep-alive. That one compares clocks in its timer: after the process has stood still,
 * it ends connections whose server has answered, because the answers are still in their sockets. Here every look comes after the event loop has read its
 * sockets, and a server that seems silent is asked once more: nobody had asked it while the process stood still.
 */
export class KeepAlive {
  private heardAt = 0;
  private lastChance = false;
  private timer: NodeJS.Timeout | undefined;
  private reading: NodeJS.Immediate | undefined;

  constructor(private readonly options: KeepAliveOptions) {}

  start(): void {
    this.heard();
    this.next(this.options.pingMs);
  }

  /** Bytes have come from the server. */
  heard(): void {
    this.heardAt = performance.now();
    this.lastChance = false;
  }

  stop(): void {
    clearTimeout(this.timer);
    clearImmediate(this.reading);
  }

  private next(ms: number): void {
    this.timer = setTimeout(() => {
      // Between a timer and an immediate the loop reads what waits in its sockets.
      this.reading = setImmediate(() => this.look());
    }, ms);
  }

  private look(): void {
    const { pingMs, graceMs = 5_000, ping, onSilence } = this.options;
    const silentMs = performance.now() - this.heardAt;
    const silent = silentMs > pingMs + graceMs;
    if (silent && this.lastChance) return onSilence(silentMs);
    this.lastChance = silent;
    ping();
    this.next(silent ? graceMs : pingMs);
  }
}
