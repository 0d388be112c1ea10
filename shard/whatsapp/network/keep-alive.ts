export interface KeepAliveOptions {
  /** Pause between two pings. */
  readonly pingMs: number;
  /** How late an answer to a ping may be before a last ping is sent, and how late its answer may be. 5 s when absent. */
  readonly graceMs?: number;
  readonly ping: () => void;
  /** Called once, when the server is silent. */
  readonly onSilence: (silentMs: number) => void;
}

/**
 * Pings a server and finds out when it is silent, in place of the library's own keep-alive. That one compares clocks in its timer: after the process has stood still,
 * it ends connections whose server has answered, because the answers are still in their sockets. Here every look comes after the event loop has read its
 * sockets, and a server that seems silent is pinged once more: nobody had pinged it while the process stood still.
 */
export class KeepAlive {
  private heardAt = 0;
  /** Pings since the server was heard. */
  private unanswered = 0;
  private timer: NodeJS.Timeout | undefined;
  private reading: NodeJS.Immediate | undefined;

  constructor(private readonly options: KeepAliveOptions) {}

  start(): void {
    this.heard();
    this.next(this.options.pingMs, () => this.ping());
  }

  /** Bytes have come from the server. */
  heard(): void {
    this.heardAt = performance.now();
    this.unanswered = 0;
  }

  /** Pings now, because something else had no answer. */
  probe(): void {
    if (this.timer === undefined || this.unanswered > 0) return;
    clearTimeout(this.timer);
    if (this.reading !== undefined) clearImmediate(this.reading);
    this.ping();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.reading !== undefined) clearImmediate(this.reading);
  }

  private next(ms: number, look: () => void): void {
    this.timer = setTimeout(() => {
      // Between a timer and an immediate the loop reads what waits in its sockets.
      this.reading = setImmediate(look);
    }, ms);
  }

  private ping(): void {
    const { graceMs = defaultGraceMs, ping } = this.options;
    this.unanswered += 1;
    // Before the ping, which may be answered at once.
    this.next(graceMs, () => this.look());
    ping();
  }

  private look(): void {
    const { pingMs, graceMs = defaultGraceMs, onSilence } = this.options;
    if (this.unanswered === 0) return this.next(pingMs - graceMs, () => this.ping());
    if (this.unanswered === 1) return this.ping();
    this.stop();
    onSilence(performance.now() - this.heardAt);
  }
}

const defaultGraceMs = 5_000;
