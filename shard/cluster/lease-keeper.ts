import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { beatTag, takePlace, writeBeat } from "../../shared/cluster/beat-feed.js";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { announceMemberState, bury, heartbeat, join } from "../../shared/cluster/membership.js";
import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import { orEnd } from "../../shared/process/stray-rejections.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { isValid, nextBeatMs, nextLease, toBury, type Lease, type LeaseEvent } from "./lease.js";
import { NameConflict } from "./name-conflict.js";

/** Interval in milliseconds of the log entry about another process with our name: only an operator can fix that. */
const nameTakenLogMs = 60_000;

export interface LeaseKeeperOptions {
  /** Connection of the heartbeat alone, never shared with bulk work. */
  redis: RedisClient;
  name: string;
  host: string;
  weight: number;
  /** If absent, this process may always join. */
  mayJoin?: () => Promise<boolean>;
  log: Log;
  timing?: ClusterTiming;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/**
 * Keeps one incarnation's lease on slots, and rejoins by itself. Emits `joined` (a new incarnation), `beat` (number of a good heartbeat),
 * `beat-failed` (a heartbeat got no response) and `fenced` (the lease is lost: `holds()` is false, and every platform socket must close).
 */
export class LeaseKeeper extends EventEmitter<{ joined: [incarnation: string]; beat: [sequence: number]; "beat-failed": []; fenced: [] }> {
  private lease: Lease = { kind: "none" };
  private ended = false;
  private timer: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private nameTakenLoggedAt = -Infinity;
  /** Place in the feed of beats; `undefined` before the first join, and when all places are taken. */
  private place: number | undefined;
  private sequence = 0;
  private isDraining = false;
  private readonly now: () => number;
  private readonly timing: ClusterTiming;
  private readonly nameConflict: NameConflict;

  constructor(private readonly options: LeaseKeeperOptions) {
    super();
    this.nameConflict = new NameConflict(options.redis, options.name);
    this.now = options.now ?? (() => performance.now());
    this.timing = options.timing ?? defaultClusterTiming;
  }

  /** Empty while not joined. */
  get incarnation(): string {
    return this.lease.kind === "held" ? this.lease.incarnation : "";
  }

  /** Checked in every platform socket's write: a frozen process wakes up in the middle of a callback. */
  holds(): boolean {
    return isValid(this.lease, this.now());
  }

  /** The reason why this process does not join, once another live process is known to use its name. */
  get nameTaken(): string | undefined {
    return this.nameConflict.reason;
  }

  /** Seconds of validity left, 0 when fenced. */
  secondsLeft(): number {
    return this.lease.kind === "held" ? Math.max(0, (this.lease.validUntil - this.now()) / 1_000) : 0;
  }

  /**
   * Resolves once joined; retries while an earlier incarnation's lease lasts. Rejects with a `ConfigError` when another live process uses
   * the name.
   */
  async start(): Promise<void> {
    while (!this.ended && !(await this.tryJoin())) {
      await this.nameConflict.check();
      await pause(nextBeatMs(this.lease, this.timing));
    }
    this.schedule();
  }

  async announce(state: "draining" | "gone"): Promise<void> {
    if (this.incarnation === "") return;
    this.isDraining = true;
    await announceMemberState(this.options.redis, this.options.name, this.incarnation, state);
    if (state === "draining") this.publishBeat();
  }

  /** Ends the lease: publishes `gone` after the slots were released. */
  async stop(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.working;
    clearTimeout(this.expiry);
    await this.announce("gone");
    this.apply({ type: "left" });
  }

  private schedule(): void {
    if (this.ended) return;
    this.timer = setTimeout(
      () => {
        this.working = this.beat().finally(() => this.schedule());
      },
      nextBeatMs(this.lease, this.timing),
    );
  }

  private async beat(): Promise<void> {
    if (this.lease.kind !== "held") {
      await this.rejoin().catch(() => undefined);
      return;
    }
    const { incarnation } = this.lease;
    const sentAt = this.now();
    try {
      const sequence = await heartbeat(this.options.redis, this.options.name, incarnation);
      this.apply({ type: "beat-response", incarnation, good: sequence !== undefined, sentAt });
      if (sequence === undefined || this.incarnation !== incarnation) return;
      this.sequence = sequence;
      this.publishBeat();
      this.emit("beat", sequence);
    } catch (error) {
      this.apply({ type: "beat-failed", incarnation });
      this.emit("beat-failed");
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "heartbeat failed");
    }
  }

  /** Publishes a beat. No lease depends on it: a reader that misses a beat reads the record. */
  private publishBeat(): void {
    const { place, sequence, isDraining, incarnation } = this;
    if (place === undefined || incarnation === "") return;
    writeBeat(this.options.redis, place, { tag: beatTag(incarnation), sequence, isDraining }).catch(() => undefined);
  }

  private async tryJoin(): Promise<boolean> {
    if ((await this.options.mayJoin?.()) === false) return false;
    // If Redis was away when the lease was lost, the burial at that moment did not arrive.
    await this.buryFormer();
    this.place ??= await takePlace(this.options.redis, this.options.name);
    const incarnation = randomUUID();
    this.apply({ type: "join-sent", incarnation });
    const sentAt = this.now();
    const { redis, name, weight, host, log } = this.options;
    const { place } = this;
    const joined = await join(redis, { name, incarnation, weight, host, ...(place === undefined ? {} : { place }) });
    this.apply({ type: "join-response", incarnation, joined, sentAt });
    if (!joined) return false;
    [this.sequence, this.isDraining] = [1, false];
    this.publishBeat();
    this.nameConflict.forget();
    this.nameTakenLoggedAt = -Infinity;
    log.info({ incarnation }, "member joined");
    this.emit("joined", incarnation);
    return true;
  }

  /** The only place that changes the lease and applies the consequences. */
  private apply(event: LeaseEvent): void {
    const before = this.lease;
    const lease = nextLease(before, event, this.now(), this.timing);
    this.lease = lease;
    clearTimeout(this.expiry);
    if (lease.kind === "held") this.expiry = setTimeout(() => this.apply({ type: "expiry" }), Math.max(1, lease.validUntil - this.now()));
    if (before.kind !== "held" || lease.kind !== "lost") return;
    const { why, incarnation } = lease;
    this.options.log.error({ why, incarnation }, "lease lost");
    // Platform sockets close on this event: an open socket would connect an account twice.
    orEnd(() => this.emit("fenced"));
    // The next owner need not wait for our expiry: this process knows that the incarnation has ended.
    this.buryFormer().catch(() => undefined);
  }

  private async buryFormer(): Promise<void> {
    const incarnation = toBury(this.lease);
    if (incarnation !== undefined) await bury(this.options.redis, this.options.name, incarnation, "*", "fenced");
  }

  /** Unlike at the start, a taken name does not end the process: its slots are lost already, and the name may become free. */
  private async rejoin(): Promise<void> {
    if (await this.tryJoin()) return;
    await this.nameConflict.check().catch(() => undefined);
    if (this.nameTaken === undefined || this.now() - this.nameTakenLoggedAt < nameTakenLogMs) return;
    this.nameTakenLoggedAt = this.now();
    this.options.log.error({ reason: this.nameTaken }, "member name in use by another process");
  }
}
