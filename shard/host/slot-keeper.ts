import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { acquireSlots, announceSlots, readOwners, setSlotState, type SlotOwner, type SlotToken } from "../../shared/cluster/ownership.js";
import { targetMap } from "./placement.js";
import type { Log } from "../../shared/log/logger.js";
import { channels, keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { FencedError } from "../../shared/redis/script.js";
import { BatchSize } from "./batch-size.js";
import type { LeaseKeeper } from "./lease-keeper.js";
import { leftSocketsOpen, settleMs } from "./settle-gap.js";
import { SilenceWaits } from "./silence-waits.js";

export interface AcquiredSlot {
  slot: number;
  token: SlotToken;
  /** How long platform sockets of this slot must stay closed (reliability sheet 2.2, rule 8). */
  settleMs: number;
  /** A former owner fell silent: they stay closed until the platform has dropped what it may have left open. */
  silent: boolean;
}

/** What happens to the sessions of slots that come and go. */
export interface SlotListener {
  acquired(slots: readonly AcquiredSlot[]): Promise<void>;
  /** A planned move: finish what runs, flush, close. Resolves when nothing of the slot writes any more, 45 s at most. */
  drain(slot: number): Promise<void>;
  /** Lost without being asked: close everything at once, write nothing. */
  lost(slots: readonly number[]): void;
}

export interface SlotKeeperOptions {
  redis: RedisClient;
  subscriber: RedisClient;
  members: MemberWatch;
  lease: LeaseKeeper;
  name: string;
  host: string;
  listener: SlotListener;
  log: Log;
  /** See `SilenceWaitsOptions`. */
  dropMs: number;
  /** A slot came, or is not to be had: the start goes on. */
  onProgress?: (held: number) => void;
  /** How long the target map must have been the same before a slot moves on purpose, ms. */
  stableMs?: number;
  /** How long it must have been the same before a process that has just joined takes its first slots, ms. */
  quietMs?: number;
}

const pollMs = 1_000;
/** Reliability sheet 2.1, decision 6. */
const stableMsDefault = 5_000;
/** Shards that start together see each other before they share: otherwise the first takes all and sessions move 5 s later. */
const quietMsDefault = 1_000;
const quietMaxMs = 5_000;
const movesAtOnce = 64;
/** Of one look at the owners. */
const verifyBatch = 512;
/** A member of another host that fenced itself is mostly back within a second: its slots are left to it for so long, because with us their sessions would wait for the platform. */
const fencedMs = 3_000;

interface HeldSlot {
  token: SlotToken;
  /** `drained`: nothing of it runs any more, and Redis has yet to be told that it is free. */
  phase: "held" | "draining" | "drained";
  /** Its sessions wait for the platform: the slot does not move on meanwhile, for the next owner's would wait as long. */
  silent: boolean;
}

/** Takes the slots that the target map gives to this member, gives back the others, and notices the ones that were taken from it. */
export class SlotKeeper {
  private readonly held = new Map<number, HeldSlot>();
  private timer: NodeJS.Timeout | undefined;
  private reconciling: Promise<void> | undefined;
  private again = false;
  /** Drains may take long (a send that has begun is waited for): nothing else waits for them. */
  private readonly releases = new Set<Promise<void>>();
  private ended = false;
  private target: readonly string[] = [];
  private targetKey = "";
  private targetSince = 0;
  private settled = false;
  private readonly batch = new BatchSize();
  /** In a row. */
  private failedRuns = 0;
  private readonly silences: SilenceWaits;
  private readonly nudge = (channel?: string): void => {
    if (channel === undefined || channel === channels.slots) void this.reconcile();
  };
  private readonly onMembers = (): void => this.nudge();
  private readonly onBeat = (): void => void this.verify();
  private readonly onFenced = (): void => this.drop([...this.held.keys()]);

  constructor(private readonly options: SlotKeeperOptions) {
    this.silences = new SilenceWaits(options);
  }

  async start(): Promise<void> {
    const { subscriber, members, lease } = this.options;
    subscriber.on("message", this.nudge);
    await subscriber.subscribe(channels.slots);
    members.on("change", this.onMembers);
    lease.on("beat", this.onBeat);
    lease.on("fenced", this.onFenced);
    lease.on("joined", this.onMembers);
    await this.gather();
    await this.reconcile();
    this.timer = setInterval(this.nudge, pollMs);
  }

  /** Token of a slot that this process owns and may write; `undefined` when it does not, or while it drains. */
  token(slot: number): SlotToken | undefined {
    const held = this.held.get(slot);
    return held === undefined || held.phase !== "held" || !this.options.lease.holds() ? undefined : held.token;
  }

  /** True while the token is the slot's, draining included: for writes and sockets of work that has begun. */
  holds(slot: number, token: SlotToken): boolean {
    return this.held.get(slot)?.token === token && this.options.lease.holds();
  }

  get count(): number {
    return this.held.size;
  }

  /** True once the slots that the target map gives to this member are here. */
  get complete(): boolean {
    return this.settled;
  }

  /** A write under this token was refused: the slot is somebody else's, unless it has come back under another token since. */
  fenced(slot: number, token: SlotToken): void {
    if (this.held.get(slot)?.token === token) this.drop([slot]);
  }

  /** Drains and releases everything (process end). */
  async stop(): Promise<void> {
    const { subscriber, members, lease } = this.options;
    this.ended = true;
    clearInterval(this.timer);
    this.silences.stop();
    subscriber.off("message", this.nudge);
    members.off("change", this.onMembers);
    await this.reconciling;
    await Promise.all(this.releases);
    // All at once: one slot's long send must not keep the others from their next owner.
    await this.release([...this.held.keys()]);
    lease.off("beat", this.onBeat);
    lease.off("fenced", this.onFenced);
    lease.off("joined", this.onMembers);
  }

  private async gather(): Promise<void> {
    const quietMs = this.options.quietMs ?? quietMsDefault;
    const endsAt = performance.now() + Math.min(quietMaxMs, 5 * quietMs);
    do {
      await this.options.members.poll();
      await this.refreshTarget();
      const leftMs = quietMs - (performance.now() - this.targetSince);
      if (leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, 100)));
    } while (performance.now() < endsAt && !this.ended);
  }

  /** One run at a time; a call during a run makes it run once more. */
  private reconcile(): Promise<void> {
    if (this.reconciling !== undefined) {
      this.again = true;
      return this.reconciling;
    }
    this.reconciling = this.reconcileOnce()
      .then(
        () => this.told(undefined),
        (error: unknown) => this.told(error),
      )
      .finally(() => {
        this.reconciling = undefined;
        if (this.again && !this.ended) {
          this.again = false;
          void this.reconcile();
        }
      });
    return this.reconciling;
  }

  /** A run comes every second: its failures are told of once, and their number when they are over. */
  private told(error: unknown): void {
    const { log } = this.options;
    if (error !== undefined && this.failedRuns++ === 0)
      log.warn({ err: error, held: this.held.size, atOnce: this.batch.now }, "slots could not be reconciled; tried again every second");
    if (error !== undefined) return;
    if (this.failedRuns > 0) log.warn({ failedRuns: this.failedRuns, held: this.held.size }, "slots are reconciled again");
    this.failedRuns = 0;
  }

  private async reconcileOnce(): Promise<void> {
    if (this.ended || !this.options.lease.holds()) return;
    await this.refreshTarget();
    const wanted = this.target.flatMap((member, slot) => (member === this.options.name && !this.held.has(slot) ? [slot] : []));
    let missing = 0;
    for (let start = 0; start < wanted.length; ) {
      const part = wanted.slice(start, start + this.batch.now);
      start += part.length;
      missing += await this.take(part);
      this.options.onProgress?.(this.held.size);
    }
    if (missing === 0 && this.target.length > 0) this.settled = true;
    this.giveBack();
  }

  private giveBack(): void {
    const held = [...this.held];
    const drained = held.flatMap(([slot, { phase }]) => (phase === "drained" ? [slot] : []));
    const stable = performance.now() - this.targetSince >= (this.options.stableMs ?? stableMsDefault);
    const surplus = stable
      ? held.flatMap(([slot, { phase, silent }]) =>
          phase === "held" && !silent && (this.target[slot] ?? this.options.name) !== this.options.name ? [slot] : [],
        )
      : [];
    const moving = held.filter(([, { phase }]) => phase !== "held").length;
    const slots = [...drained, ...surplus.slice(0, Math.max(0, movesAtOnce - moving))];
    if (slots.length === 0) return;
    const release = this.release(slots).finally(() => {
      this.releases.delete(release);
      // The next ones, unless these wait for Redis: then the poll tries again.
      if (slots.every((slot) => this.held.get(slot)?.phase !== "drained")) this.nudge();
    });
    this.releases.add(release);
  }

  private async refreshTarget(): Promise<void> {
    const pins = await this.options.redis.hgetall(keys.pins);
    const active = this.options.members.all().filter((member) => member.state === "active");
    const key = JSON.stringify([active.map((member) => [member.name, member.weight]), pins]);
    if (key === this.targetKey) return;
    this.targetKey = key;
    this.targetSince = performance.now();
    this.target = targetMap(active, new Map(Object.entries(pins).map(([slot, member]) => [Number(slot), member])));
  }

  /** Returns how many of them are not here yet: with a living owner, or with nobody because Redis did not answer. */
  private async take(slots: readonly number[]): Promise<number> {
    const { name, host, lease, redis, members } = this.options;
    const facts = { members, name, host };
    const owners = await this.batch.tried(() => readOwners(redis, slots));
    // The lease may have gone while Redis answered; without one there is no incarnation to acquire for.
    if (!lease.holds()) return slots.length;
    const self = { name, incarnation: lease.incarnation, host };
    const takeable = slots.flatMap((slot, index) => (this.isTakeable(owners[index]) ? [{ slot, owner: owners[index] }] : []));
    const answers = await this.batch.tried(() =>
      acquireSlots(
        redis,
        takeable.map(({ slot, owner }) => ({
          slot,
          dead:
            owner === undefined || owner.state === "free"
              ? undefined
              : { name: owner.member, incarnation: owner.incarnation, silent: leftSocketsOpen(owner, facts) },
        })),
        self,
      ),
    );
    // A lease that was lost meanwhile owns nothing, whatever Redis says: the next incarnation takes these as a dead one's.
    if (self.incarnation !== lease.incarnation || !lease.holds()) return slots.length;
    const taken = takeable.flatMap(({ slot, owner }, index): AcquiredSlot[] => {
      const answer = answers[index];
      if (answer === undefined) return [];
      const { token, silent } = answer;
      this.held.set(slot, { token, phase: "held", silent });
      return [{ slot, token, silent, settleMs: settleMs(answer, owner, facts) }];
    });
    if (taken.length > 0) await this.open(taken);
    return slots.length - taken.length;
  }

  /** A slot whose sessions cannot be loaded is not kept as if it had none: it is dropped, and taken again by the next run. */
  private async open(taken: readonly AcquiredSlot[]): Promise<void> {
    this.options.log.info({ slots: taken.length, held: this.held.size }, "slots acquired");
    try {
      await this.options.listener.acquired(taken);
    } catch (error) {
      this.drop(taken.flatMap(({ slot, token }) => (this.held.get(slot)?.token === token ? [slot] : [])));
      throw error;
    }
    const silent = taken.filter((slot) => slot.silent);
    this.silences.begin(silent, () => {
      for (const { slot, token } of silent) {
        const held = this.held.get(slot);
        if (held?.token === token) held.silent = false;
      }
    });
    await announceSlots(
      this.options.redis,
      taken.map(({ slot }) => slot),
    );
  }

  /** Never owned, given back, owned by an incarnation that will never live again, or ours without our knowing: the answer to an acquire was lost. */
  private isTakeable(owner: SlotOwner | undefined): boolean {
    if (owner === undefined || owner.state === "free") return true;
    if (owner.member === this.options.name && owner.incarnation === this.options.lease.incarnation) return true;
    const member = this.options.members.get(owner.member);
    if (member === undefined) return false;
    if (
      member.incarnation === owner.incarnation &&
      member.buriedBy === "fenced" &&
      owner.host !== this.options.host &&
      performance.now() - this.targetSince < fencedMs
    )
      return false;
    return member.incarnation !== owner.incarnation || member.state === "dead" || member.state === "gone";
  }

  private async release(slots: readonly number[]): Promise<void> {
    const failures = (await Promise.all(slots.map((slot) => this.releaseOne(slot)))).filter((reason) => reason !== undefined);
    if (failures.length > 0)
      this.options.log.warn({ slots: failures.length, of: slots.length, reason: failures[0] }, "slots could not be released");
    await announceSlots(this.options.redis, slots).catch(() => undefined);
  }

  /** Resolves with the reason when Redis did not answer. */
  private async releaseOne(slot: number): Promise<string | undefined> {
    const held = this.held.get(slot);
    if (held === undefined || held.phase === "draining") return undefined;
    const { redis, listener } = this.options;
    let drained = held.phase === "drained";
    held.phase = "draining";
    try {
      if (!drained) {
        const told = setSlotState(redis, slot, held.token, "draining");
        // At the process's end it is drained whether Redis hears of it or not.
        await (this.ended ? told.catch(() => undefined) : told);
        await listener.drain(slot);
        drained = true;
      }
      await setSlotState(redis, slot, held.token, "free");
      if (this.held.get(slot) === held) this.held.delete(slot);
      return undefined;
    } catch (error) {
      if (error instanceof FencedError) {
        this.fenced(slot, held.token);
        return undefined;
      }
      // Redis did not answer. Whoever waits for the slot can only take it when it is free, so a drained one is told again by the next run.
      held.phase = drained ? "drained" : "held";
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** At each heartbeat: catches a Redis that forgot an acquire in a failover (reliability sheet 2.2, rule 9). */
  private async verify(): Promise<void> {
    const slots = [...this.held.keys()];
    try {
      for (let start = 0; start < slots.length; start += verifyBatch) {
        const part = slots.slice(start, start + verifyBatch);
        const tokens = part.map((slot) => this.held.get(slot)?.token);
        const owners = await readOwners(this.options.redis, part);
        const lost = part.filter(
          (slot, index) =>
            tokens[index] !== undefined && this.held.get(slot)?.token === tokens[index] && owners[index]?.token !== tokens[index],
        );
        if (lost.length > 0) this.drop(lost);
      }
    } catch {
      // The next heartbeat verifies again; without Redis the lease itself runs out.
    }
  }

  private drop(slots: readonly number[]): void {
    const lost = slots.filter((slot) => this.held.delete(slot));
    if (lost.length === 0) return;
    this.options.log.warn({ slots: lost.length }, "slots lost");
    this.options.listener.lost(lost);
  }
}
