import { EventEmitter } from "node:events";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { every } from "../../shared/flow/every.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { readStale } from "../../shared/cluster/ownership.js";
import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import { orEnd } from "../../shared/process/stray-rejections.js";
import { channels } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { HeldSlots } from "./held-slots.js";
import type { LeaseKeeper } from "./lease-keeper.js";
import { SlotAcquisitions } from "./slot-acquisitions.js";
import { SlotChecks } from "./slot-checks.js";
import type { AcquiredSlot, SlotListener } from "./slot-listener.js";
import { gatherMs, lostSlots, outdatedMembers, planSlots, type SeenOwner, type SlotView } from "./slot-plan.js";
import { SlotReleases } from "./slot-releases.js";
import { Takeovers, type Takeover } from "./takeovers.js";
import { TargetPlacement } from "./target-placement.js";

export interface SlotKeeperOptions {
  redis: RedisClient;
  subscriber: RedisClient;
  members: MemberWatch;
  lease: LeaseKeeper;
  held: HeldSlots;
  name: string;
  host: string;
  listener: SlotListener;
  log: Log;
  /** See `SilenceWaitsOptions`. */
  dropMs: number;
  /** Called when a slot was acquired or is unavailable: the start goes on. */
  onProgress?: (held: number) => void;
  /** Called once per run for each dead member whose slots were taken over. */
  onTakenOver?: (takeover: Takeover) => void;
  timing?: ClusterTiming;
}

const gatherPollMs = 100;
/** Slots of one check. A fifth of all slots fits. */
const verifyBatch = 1_024;

/**
 * Acquires the slots that the target map gives to this member, releases the others, and notices lost slots; `planSlots` decides. Emits
 * `acquired` when a slot's sessions are loaded, and `left` when a slot was released or lost.
 */
export class SlotKeeper extends EventEmitter<{ acquired: [slots: readonly AcquiredSlot[]]; left: [] }> {
  private readonly timing: ClusterTiming;
  private readonly placement: TargetPlacement;
  private readonly acquisitions: SlotAcquisitions;
  private readonly releases: SlotReleases;
  private readonly takeovers: Takeovers;
  private readonly checks = new SlotChecks();
  private timer: NodeJS.Timeout | undefined;
  private reconciling: Promise<void> | undefined;
  private rerun = false;
  /** Until then no slot is acquired: other members may be about to start. */
  private gathered = false;
  private ended = false;
  private isComplete = false;
  /** Failed runs in a row. */
  private failedRuns = 0;
  private readonly wake = (channel?: string): void => {
    if (channel === undefined || channel === channels.slots) void this.reconcile();
  };
  private readonly onMembers = (): void => this.wake();
  private readonly onBeat = (sequence: number): void => void this.verify(sequence);
  private readonly onBeatFailed = (): void => this.checks.beatFailed();
  private readonly onFenced = (): void => this.options.held.drop([...this.options.held.all.keys()]);

  constructor(private readonly options: SlotKeeperOptions) {
    super();
    this.timing = options.timing ?? defaultClusterTiming;
    const { held, listener } = options;
    held.on("lost", (slots) => {
      orEnd(() => listener.lost(slots));
      this.emit("left");
    });
    this.placement = new TargetPlacement(options);
    this.takeovers = new Takeovers(
      (slots) => listener.sessionsIn(slots),
      (takeover) => options.onTakenOver?.(takeover),
    );
    this.acquisitions = new SlotAcquisitions({
      ...options,
      takeovers: this.takeovers,
      onAcquired: async (slots) => {
        await listener.acquired(slots);
        this.emit("acquired", slots);
      },
    });
    this.releases = new SlotReleases({
      ...options,
      drain: (slot) => listener.drain(slot),
      onLeft: () => this.emit("left"),
    });
  }

  async start(): Promise<void> {
    const { subscriber, members, lease } = this.options;
    subscriber.on("message", this.wake);
    await subscriber.subscribe(channels.slots);
    members.on("change", this.onMembers);
    lease.on("beat", this.onBeat);
    lease.on("beat-failed", this.onBeatFailed);
    lease.on("fenced", this.onFenced);
    lease.on("joined", this.onMembers);
    await this.gather();
    this.gathered = true;
    await this.reconcile();
    this.timer = every(this.timing.pollMs, this.wake);
  }

  /** True when an operator has drained this member. */
  get isDrained(): boolean {
    return this.placement.isDrained(this.options.name);
  }

  /** True once all slots that the target map gives to this member are held. */
  get complete(): boolean {
    return this.isComplete;
  }

  /** Drains and releases all slots at process end. */
  async stop(): Promise<void> {
    const { subscriber, members, lease, held } = this.options;
    this.ended = true;
    clearInterval(this.timer);
    this.acquisitions.stop();
    subscriber.off("message", this.wake);
    members.off("change", this.onMembers);
    await this.reconciling;
    await this.releases.finish(() => {
      const step = planSlots(this.view(new Map()));
      if (step.kind === "drop") held.drop(step.slots);
      return step.kind === "rest" ? step.release : [];
    });
    lease.off("beat", this.onBeat);
    lease.off("beat-failed", this.onBeatFailed);
    lease.off("fenced", this.onFenced);
    lease.off("joined", this.onMembers);
  }

  private async gather(): Promise<void> {
    const startedAt = performance.now();
    while (!this.ended) {
      await this.options.members.poll();
      await this.placement.refresh();
      const leftMs = gatherMs(this.timing.quietMs, this.placement.ageMs, performance.now() - startedAt);
      if (leftMs === 0) return;
      await pause(Math.min(leftMs, gatherPollMs));
    }
  }

  /** One run at a time; a call during a run makes it run once more. */
  private reconcile(): Promise<void> {
    if (this.reconciling !== undefined) {
      this.rerun = true;
      return this.reconciling;
    }
    this.reconciling = this.reconcileOnce()
      .then(
        () => this.logOutcome(undefined),
        (error: unknown) => this.logOutcome(error),
      )
      .finally(() => {
        this.reconciling = undefined;
        if (this.rerun && !this.ended) {
          this.rerun = false;
          void this.reconcile();
        }
      });
    return this.reconciling;
  }

  /** Logs only the first of several failed runs, because runs come every second, and their number once a run succeeds. */
  private logOutcome(error: unknown): void {
    const { held, log } = this.options;
    if (error !== undefined && this.failedRuns++ === 0)
      log.warn({ err: error, held: held.count, atOnce: this.acquisitions.atOnce }, "slot reconciliation failed, retrying");
    if (error !== undefined) return;
    if (this.failedRuns > 0) log.info({ failedRuns: this.failedRuns, held: held.count }, "slot reconciliation recovered");
    this.failedRuns = 0;
  }

  private async reconcileOnce(): Promise<void> {
    if (this.ended || !this.gathered || !this.options.lease.holds()) return;
    await this.placement.refresh();
    const owners = new Map<number, SeenOwner>();
    while (!this.ended) {
      const step = planSlots(this.view(owners));
      switch (step.kind) {
        case "drop":
          this.options.held.drop(step.slots);
          return;
        case "place":
          await this.placement.refresh();
          break;
        case "read":
          await this.acquisitions.read(step.slots, owners);
          await this.readOutdated(owners);
          break;
        case "acquire":
          await this.acquisitions.acquire(step.slots, owners);
          break;
        case "rest":
          this.takeovers.reportAll();
          if (step.waiting.length === 0 && this.placement.map.length > 0) this.isComplete = true;
          // Further releases follow when these are done. Those that wait for Redis are retried by the poll.
          if (step.release.length > 0) this.releases.begin(step.release, this.wake);
          return;
      }
      this.options.onProgress?.(this.options.held.count);
    }
  }

  /** After an outage the view of the members may be older than the owners in Redis. */
  private async readOutdated(owners: ReadonlyMap<number, SeenOwner>): Promise<void> {
    const { members } = this.options;
    const names = outdatedMembers(owners.values(), members);
    if (names.length > 0) await members.readAgain(names);
  }

  private view(owners: ReadonlyMap<number, SeenOwner>): SlotView {
    const { name, host, members, lease, held } = this.options;
    const { stableMs, rejoinGraceMs } = this.timing;
    return {
      name,
      host,
      incarnation: lease.holds() ? lease.incarnation : undefined,
      members,
      held: held.all,
      target: this.placement.map,
      targetFits: this.placement.fits,
      targetAgeMs: this.placement.ageMs,
      stableMs,
      rejoinGraceMs,
      owners,
      batch: this.acquisitions.atOnce,
      ending: this.ended,
    };
  }

  /** Runs at each heartbeat. */
  private async verify(sequence: number): Promise<void> {
    const { redis, held } = this.options;
    const slots = this.checks.due(sequence, held.all).flatMap((slot) => {
      const token = held.all.get(slot)?.token;
      return token === undefined ? [] : [[slot, token] as const];
    });
    try {
      for (let start = 0; start < slots.length; start += verifyBatch) {
        const checked = new Map(slots.slice(start, start + verifyBatch));
        const lost = lostSlots(checked, await readStale(redis, checked), held.all);
        for (const slot of lost) checked.delete(slot);
        this.checks.found(checked);
        held.drop(lost);
      }
    } catch {
      // The next heartbeat checks all slots again; without Redis the lease itself expires.
      this.checks.beatFailed();
    }
  }
}
