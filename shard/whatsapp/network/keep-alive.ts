export interface KeepAliveOptions {
  /** Pause between two pings. */
  readonly pingMs: number;
  /** Milliseconds in which a reply must arrive after a ping, and again after a second ping. Default: 5 s. */
  readonly graceMs?: number;
  readonly ping: () => void;
  /** Called once, when the server is silent. */
  readonly onSilence: (silentMs: number) => void;
}

/**
 * Pings a server and detects its silence, instead of the library's keep-alive, which ends healthy connections after the process was
 * frozen. This one reads sockets before each check and pings a second time.
 */
export class KeepAlive {
  private receivedAt = 0;
  /** Pings since the last byte from the server. */
  private openPings = 0;
  private timer: NodeJS.Timeout | undefined;
  private reading: NodeJS.Immediate | undefined;

  constructor(private readonly options: KeepAliveOptions) {}

  start(): void {
    this.received();
    this.next(this.options.pingMs, () => this.ping());
  }

  /** Call it when bytes arrived from the server. */
  received(): void {
    this.receivedAt = performance.now();
    this.openPings = 0;
  }

  /** Pings at once, because another request got no response. */
  probe(): void {
    if (this.timer === undefined || this.openPings > 0) return;
    clearTimeout(this.timer);
    if (this.reading !== undefined) clearImmediate(this.reading);
    this.ping();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.reading !== undefined) clearImmediate(this.reading);
  }

  private next(ms: number, check: () => void): void {
    this.timer = setTimeout(() => {
      // Between a timer and an immediate, the event loop reads the pending data of its sockets.
      this.reading = setImmediate(check);
    }, ms);
  }

  private ping(): void {
    const { graceMs = defaultGraceMs, ping } = this.options;
    this.openPings += 1;
    // The timer starts first, because the reply may arrive at once.
    this.next(graceMs, () => this.check());
    ping();
  }

  private check(): void {
    const { pingMs, graceMs = defaultGraceMs, onSilence } = this.options;
    if (this.openPings === 0) return this.next(pingMs - graceMs, () => this.ping());
    if (this.openPings === 1) return this.ping();
    this.stop();
    onSilence(performance.now() - this.receivedAt);
  }
}

const defaultGraceMs = 5_000;
