import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { announceMemberState, bury, heartbeat, join } from "../../shared/cluster/membership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { Namesake } from "./namesake.js";

/** The silence that counts as death less 3 s: 15 % of difference between two clocks. A beat every 3 s leaves 13 s to a Redis that restarts or fails over. */
const heartbeatMs = 3_000;
export const validityMs = 17_000;
/** After a heartbeat that failed: what is left of the validity is not waited away. */
const retryMs = 500;
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
  /** Fenced, or joined for all we know: nobody waits out its lease, we bury it ourselves before the next join. */
  private former = "";
  private failing = false;
  private timer: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private readonly now: () => number;
  private readonly namesake: Namesake;

  constructor(private readonly options: LeaseKeeperOptions) {
    super();
    this.namesake = new Namesake(options.redis, options.name);
    this.now = options.now ?? (() => performance.now());
  }

  /** Empty while not joined. */
  get incarnation(): string {
    return this.current;
  }

  /** Checked inside every platform socket's write: a process that was frozen wakes up in the middle of a callback. */
  holds(): boolean {
    return this.current !== "" && this.now() < this.validUntil;
  }

  /** Seconds of validity left, 0 when fenced. */
  secondsLeft(): number {
    return this.current === "" ? 0 : Math.max(0, (this.validUntil - this.now()) / 1_000);
  }

  /** Resolves once joined; keeps trying while a former incarnation of this name is within its lease. Rejects with a `ConfigError` when another process lives by it. */
  async start(): Promise<void> {
    while (!this.ended && !(await this.tryJoin())) {
      await this.namesake.look();
      await sleep(rejoinMs);
    }
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
    clearTimeout(this.expiry);
    await this.announce("gone");
    this.current = "";
  }

  private schedule(): void {
    if (this.ended) return;
    const waitMs = this.current === "" ? rejoinMs : this.failing ? retryMs : heartbeatMs;
    this.timer = setTimeout(() => {
      this.working = this.beat().finally(() => this.schedule());
    }, waitMs);
  }

  private async beat(): Promise<void> {
    const incarnation = this.current;
    if (incarnation === "") {
      await this.tryJoin().catch(() => undefined);
      return;
    }
    const sentAt = this.now();
    try {
      const good = await heartbeat(this.options.redis, this.options.name, incarnation);
      this.failing = false;
      // The validity ran out while Redis answered.
      if (this.current !== incarnation) return;
      // A beat that took so long that the old validity ran out does not revive it: others may have acted on the silence.
      if (good && !this.holds()) {
        this.fence("validity ran out");
        return;
      }
      if (!good) {
        this.fence("buried or replaced");
        return;
      }
      this.extend(sentAt);
      this.emit("beat");
    } catch (error) {
      this.failing = true;
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "heartbeat failed");
    }
  }

  private extend(sentAt: number): void {
    this.validUntil = sentAt + validityMs;
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.expire(), Math.max(1, this.validUntil - this.now()));
  }

  /** Sockets close when the validity ends, not when a heartbeat that Redis does not answer has failed: others connect 6 s later. */
  private expire(): void {
    if (this.current === "") return;
    if (this.holds()) return this.extend(this.validUntil - validityMs);
    this.fence("redis silent");
  }

  private fence(why: string): void {
    const incarnation = this.current;
    clearTimeout(this.expiry);
    this.current = "";
    this.validUntil = 0;
    this.former = incarnation;
    this.options.log.error({ why, incarnation }, "lease lost");
    this.emit("fenced");
    // Whoever waits for this incarnation's end need not wait for 20 s of silence: we know best that it is over.
    this.buryFormer().catch(() => undefined);
  }

  private async buryFormer(): Promise<void> {
    if (this.former !== "") await bury(this.options.redis, this.options.name, this.former, "*", "fenced");
  }

  private async tryJoin(): Promise<boolean> {
    // Without Redis the burial at the fence did not arrive; and a join whose answer was lost may stand in Redis under a name that nobody beats for.
    await this.buryFormer();
    const incarnation = randomUUID();
    this.former = incarnation;
    const sentAt = this.now();
    if (!(await join(this.options.redis, { name: this.options.name, incarnation, weight: this.options.weight, host: this.options.host })))
      return false;
    this.former = "";
    this.failing = false;
    this.current = incarnation;
    this.extend(sentAt);
    this.options.log.info({ incarnation }, "joined");
    this.emit("joined", incarnation);
    return true;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
