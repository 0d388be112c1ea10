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
  private heardAt = 0;
  /** Pings since the last byte from the server. */
  private unanswered = 0;
  private timer: NodeJS.Timeout | undefined;
  private reading: NodeJS.Immediate | undefined;

  constructor(private readonly options: KeepAliveOptions) {}

  start(): void {
    this.heard();
    this.next(this.options.pingMs, () => this.ping());
  }

  /** Call it when bytes arrived from the server. */
  heard(): void {
    this.heardAt = performance.now();
    this.unanswered = 0;
  }

  /** Pings at once, because another request got no response. */
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
      // Between a timer and an immediate, the event loop reads the pending data of its sockets.
      this.reading = setImmediate(look);
    }, ms);
  }

  private ping(): void {
    const { graceMs = defaultGraceMs, ping } = this.options;
    this.unanswered += 1;
    // The timer starts first, because the reply may arrive at once.
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
