import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { announceMemberState, bury, heartbeat, join } from "../../shared/cluster/membership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";

/** Reliability sheet 2.2: a quarter of T, and T less 3 s (15 % clock-rate error). */
const heartbeatMs = 5_000;
const validityMs = 17_000;
/** While a former incarnation of our name is within its lease. */
const rejoinMs = 500;

export interface LeaseKeeperOptions {
  /** The heartbeat's own connection, never shared with bulk work. */
  redis: RedisClient;
  name: string;
  host: string;
  weight: number;
  log: Log;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/**
 * The right of one incarnation to own slots. Emits `joined` with each new incarnation, `beat` after each good heartbeat, and `fenced`
 * when the right is lost: by then `holds()` is false and every platform socket must close. It joins again by itself.
 */
export class LeaseKeeper extends EventEmitter<{ joined: [incarnation: string]; beat: []; fenced: [] }> {
  private current = "";
  private validUntil = 0;
  private ended = false;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private readonly now: () => number;

  constructor(private readonly options: LeaseKeeperOptions) {
    super();
    this.now = options.now ?? (() => performance.now());
  }

  /** Empty while not joined. */
  get incarnation(): string {
    return this.current;
  }

  /** Checked inside every platform socket's write: a process that was frozen wakes up in the middle of a callback (F9). */
  holds(): boolean {
    return this.current !== "" && this.now() < this.validUntil;
  }

  /** Seconds of validity left, 0 when fenced. */
  secondsLeft(): number {
    return this.current === "" ? 0 : Math.max(0, (this.validUntil - this.now()) / 1_000);
  }

  /** Resolves once joined; keeps trying while a former incarnation of this name is within its lease. */
  async start(): Promise<void> {
    while (!this.ended && !(await this.tryJoin())) await sleep(rejoinMs);
    this.schedule();
  }

  async announce(state: "draining" | "gone"): Promise<void> {
    if (this.current !== "") await announceMemberState(this.options.redis, this.options.name, this.current, state);
  }

  /** Ends the lease: `gone` is announced after the slots were released. */
  async stop(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.working;
    await this.announce("gone");
    this.current = "";
  }

  private schedule(): void {
    if (this.ended) return;
    this.timer = setTimeout(() => {
      this.working = this.beat().finally(() => this.schedule());
    }, this.current === "" ? rejoinMs : heartbeatMs);
  }

  private async beat(): Promise<void> {
    if (this.current === "") {
      await this.tryJoin().catch(() => undefined);
      return;
    }
    const sentAt = this.now();
    try {
      if (await heartbeat(this.options.redis, this.options.name, this.current)) {
        // A beat that took so long that the old validity ran out does not revive it: others may have acted on the silence.
        if (!this.holds()) return this.fence("validity ran out");
        this.validUntil = sentAt + validityMs;
        this.emit("beat");
        return;
      }
      this.fence("buried or replaced");
    } catch (error) {
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "heartbeat failed");
      if (!this.holds()) this.fence("redis silent");
    }
  }

  private fence(why: string): void {
    const incarnation = this.current;
    this.current = "";
    this.validUntil = 0;
    this.options.log.error({ why, incarnation }, "lease lost");
    this.emit("fenced");
    // Whoever waits for this incarnation's end need not wait for T: we know best that it is over.
    bury(this.options.redis, this.options.name, incarnation, "*").catch(() => undefined);
  }

  private async tryJoin(): Promise<boolean> {
    const incarnation = randomUUID();
    const sentAt = this.now();
    if (!(await join(this.options.redis, { name: this.options.name, incarnation, weight: this.options.weight, host: this.options.host }))) return false;
    this.current = incarnation;
    this.validUntil = sentAt + validityMs;
    this.options.log.info({ incarnation }, "joined");
    this.emit("joined", incarnation);
    return true;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
