import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { acquire, announceSlots, readOwners, setSlotState, type Acquired, type SlotOwner, type SlotToken } from "../../shared/cluster/ownership.js";
import { targetMap } from "../../shared/cluster/placement.js";
import type { Log } from "../../shared/log/logger.js";
import { channels, keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { FencedError } from "../../shared/redis/script.js";
import type { LeaseKeeper } from "./lease-keeper.js";

export interface AcquiredSlot {
  slot: number;
  token: SlotToken;
  /** How long platform sockets of this slot must stay closed (reliability sheet 2.2, rule 8). */
  settleMs: number;
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
const batch = 512;
const settle = { sameHost: 0, released: 2_000, buried: 3_000 } as const;

interface HeldSlot {
  token: SlotToken;
  draining: boolean;
}

/** Takes the slots that the target map gives to this member, gives back the others, and notices the ones that were taken from it. */
export class SlotKeeper {
  private readonly held = new Map<number, HeldSlot>();
  private timer: NodeJS.Timeout | undefined;
  private reconciling: Promise<void> | undefined;
  private again = false;
  private ended = false;
  private target: readonly string[] = [];
  private targetKey = "";
  private targetSince = 0;
  private settled = false;
  private readonly nudge = (channel?: string): void => {
    if (channel === undefined || channel === channels.slots) void this.reconcile();
  };
  private readonly onMembers = (): void => this.nudge();
  private readonly onBeat = (): void => void this.verify();
  private readonly onFenced = (): void => this.drop([...this.held.keys()]);

  constructor(private readonly options: SlotKeeperOptions) {}

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
    return held === undefined || held.draining || !this.options.lease.holds() ? undefined : held.token;
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

  /** A write was refused: the slot is somebody else's. */
  fenced(slot: number): void {
    if (this.held.has(slot)) this.drop([slot]);
  }

  /** Drains and releases everything (process end). */
  async stop(): Promise<void> {
    const { subscriber, members, lease } = this.options;
    this.ended = true;
    clearInterval(this.timer);
    subscriber.off("message", this.nudge);
    members.off("change", this.onMembers);
    await this.reconciling;
    const slots = [...this.held.keys()];
    for (let start = 0; start < slots.length; start += batch) await this.release(slots.slice(start, start + batch));
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
      .catch((error: unknown) => this.options.log.warn({ err: error }, "slots could not be reconciled"))
      .finally(() => {
        this.reconciling = undefined;
        if (this.again && !this.ended) {
          this.again = false;
          void this.reconcile();
        }
      });
    return this.reconciling;
  }

  private async reconcileOnce(): Promise<void> {
    if (this.ended || !this.options.lease.holds()) return;
    await this.refreshTarget();
    const wanted = this.target.flatMap((member, slot) => (member === this.options.name && !this.held.has(slot) ? [slot] : []));
    let missing = 0;
    for (let start = 0; start < wanted.length; start += batch) missing += await this.take(wanted.slice(start, start + batch));
    if (missing === 0 && this.target.length > 0) this.settled = true;
    if (performance.now() - this.targetSince < (this.options.stableMs ?? stableMsDefault)) return;
    const surplus = [...this.held.keys()].filter((slot) => this.target[slot] !== undefined && this.target[slot] !== this.options.name);
    if (surplus.length === 0) return;
    await this.release(surplus.slice(0, movesAtOnce));
    this.again ||= surplus.length > movesAtOnce;
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

  /** Returns how many of them are still with a living owner. */
  private async take(slots: readonly number[]): Promise<number> {
    const owners = await readOwners(this.options.redis, slots);
    const takeable = slots.filter((_, index) => this.isTakeable(owners[index]));
    const self = { name: this.options.name, incarnation: this.options.lease.incarnation, host: this.options.host };
    const ownerOf = new Map(slots.map((slot, index) => [slot, owners[index]]));
    const answers = await Promise.all(
      takeable.map((slot) => {
        const owner = ownerOf.get(slot);
        const dead = owner === undefined || owner.state === "free" ? undefined : { name: owner.member, incarnation: owner.incarnation };
        return acquire(this.options.redis, slot, self, dead);
      }),
    );
    // A lease that was lost while Redis answered owns nothing, whatever Redis says: the next incarnation takes these as a dead one's.
    if (self.incarnation !== this.options.lease.incarnation) return slots.length;
    const taken: AcquiredSlot[] = [];
    answers.forEach((answer, index) => {
      const slot = takeable[index];
      if (slot === undefined || answer === undefined) return;
      this.held.set(slot, { token: answer.token, draining: false });
      taken.push({ slot, token: answer.token, settleMs: this.settleMs(answer, ownerOf.get(slot)) });
    });
    if (taken.length > 0) {
      this.options.log.info({ slots: taken.length, held: this.held.size }, "slots acquired");
      await this.options.listener.acquired(taken);
      await announceSlots(this.options.redis, taken.map(({ slot }) => slot));
    }
    return slots.length - taken.length;
  }

  /** Never owned, given back, or owned by an incarnation that will never live again. */
  private isTakeable(owner: SlotOwner | undefined): boolean {
    if (owner === undefined || owner.state === "free") return true;
    const member = this.options.members.get(owner.member);
    if (member === undefined) return false;
    return member.incarnation !== owner.incarnation || member.state === "dead" || member.state === "gone";
  }

  private settleMs(acquired: Acquired, owner: SlotOwner | undefined): number {
    if (acquired.how === "new" || acquired.how === "same") return 0;
    if (acquired.how === "released") return acquired.previousHost === this.options.host ? settle.sameHost : settle.released;
    const member = owner === undefined ? undefined : this.options.members.get(owner.member);
    // The kernel of this host has closed a reaped process's sockets; a name that lives again was replaced by its own supervisor.
    const reaped = member?.buriedBy === "reaped" || (member !== undefined && member.incarnation !== owner?.incarnation);
    return reaped && acquired.previousHost === this.options.host ? settle.sameHost : settle.buried;
  }

  private async release(slots: readonly number[]): Promise<void> {
    await Promise.all(slots.map((slot) => this.releaseOne(slot)));
    await announceSlots(this.options.redis, slots).catch(() => undefined);
  }

  private async releaseOne(slot: number): Promise<void> {
    const held = this.held.get(slot);
    if (held === undefined || held.draining) return;
    held.draining = true;
    try {
      await setSlotState(this.options.redis, slot, held.token, "draining");
      await this.options.listener.drain(slot);
      await setSlotState(this.options.redis, slot, held.token, "free");
      this.held.delete(slot);
    } catch (error) {
      if (error instanceof FencedError) return this.drop([slot]);
      // Redis did not answer: whether the slot is free is unknown, so we behave as if it were.
      this.options.log.warn({ slot, reason: error instanceof Error ? error.message : String(error) }, "slot could not be released");
      this.drop([slot]);
    }
  }

  /** At each heartbeat: catches a Redis that forgot an acquire in a failover (reliability sheet 2.2, rule 9). */
  private async verify(): Promise<void> {
    const slots = [...this.held.keys()];
    try {
      for (let start = 0; start < slots.length; start += batch) {
        const part = slots.slice(start, start + batch);
        const tokens = part.map((slot) => this.held.get(slot)?.token);
        const owners = await readOwners(this.options.redis, part);
        const lost = part.filter((slot, index) => tokens[index] !== undefined && this.held.get(slot)?.token === tokens[index] && owners[index]?.token !== tokens[index]);
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
