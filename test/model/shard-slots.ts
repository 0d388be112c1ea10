import type { Acquired, SlotOwner, SlotToken, WantedSlot } from "../../shared/cluster/ownership.js";
import { settleMs } from "../../shard/cluster/settle-gap.js";
import { SlotChecks } from "../../shard/cluster/slot-checks.js";
import type { AcquiredSlot } from "../../shard/cluster/slot-listener.js";
import { gatherMs, lostSlots, outdatedMembers, planSlots, type HeldSlot, type SeenOwner } from "../../shard/cluster/slot-plan.js";
import { pause, Signal, type Machine, type Steps } from "./machine.js";
import type { MemberView } from "./member-view.js";
import { Placement } from "./placement.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import type { ShardLease } from "./shard-lease.js";
import { dropMs, timing } from "./timing.js";

/** Handles the sessions of acquired and lost slots. */
export interface SlotUser {
  acquired(slots: readonly AcquiredSlot[]): Steps;
  drain(slot: number): Steps;
  lost(slots: readonly number[]): void;
}

export interface ShardSlotsOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly members: MemberView;
  readonly lease: ShardLease;
  readonly user: SlotUser;
}

/** Models `SlotKeeper` of `shard/cluster/slot-keeper.ts` with acquisitions and releases, around the product's `planSlots`. */
export class ShardSlots {
  readonly held = new Map<number, HeldSlot>();
  private readonly placement: Placement;
  private readonly checks = new SlotChecks();
  /** Slots that are being acquired. */
  private readonly asked = new Map<number, Signal>();
  private readonly releasing = new Set<Signal>();
  private nudge = new Signal();
  private isEnding = false;

  constructor(private readonly options: ShardSlotsOptions) {
    this.placement = new Placement(options.machine, options.members);
  }

  token(slot: number): SlotToken | undefined {
    const held = this.held.get(slot);
    return held === undefined || held.phase !== "held" || !this.options.lease.holds() ? undefined : held.token;
  }

  holds(slot: number, token: SlotToken): boolean {
    return this.held.get(slot)?.token === token && this.options.lease.holds();
  }

  settled(slot: number): Signal | undefined {
    return this.asked.get(slot);
  }

  reconcileSoon(): void {
    this.nudge.abort();
  }

  beatUnanswered(): void {
    this.checks.beatFailed();
  }

  fenced(slot: number, token: SlotToken): void {
    if (this.held.get(slot)?.token === token) this.drop([slot]);
  }

  drop(slots: readonly number[]): void {
    const lost = slots.filter((slot) => this.held.delete(slot));
    if (lost.length === 0) return;
    this.options.redis.world.note("slots lost", this.options.machine.name, lost.join(","));
    this.options.user.lost(lost);
  }

  *run(): Steps {
    const { machine, members } = this.options;
    const startedAt = machine.now();
    for (;;) {
      yield* members.look();
      this.placement.refresh();
      const leftMs = gatherMs(timing.quietMs, this.placement.ageMs, machine.now() - startedAt);
      if (leftMs === 0) break;
      yield* pause(machine, Math.min(leftMs, 100));
    }
    while (!this.isEnding) {
      this.nudge = new Signal();
      try {
        yield* this.reconcile();
      } catch {
        // The next run comes a second later.
      }
      yield* pause(machine, timing.pollMs, this.nudge);
    }
  }

  /** Releases every slot at the end of the process. */
  *end(): Steps {
    this.isEnding = true;
    for (const running of [...this.releasing]) if (!running.aborted) yield (wake) => running.onAbort(() => wake.ok());
    const step = planSlots(this.view(new Map()));
    if (step.kind === "drop") this.drop(step.slots);
    if (step.kind === "rest") for (const slot of step.release) yield* this.release(slot, true);
  }

  /** Verifies some slots at each heartbeat. */
  *verify(sequence: number): Steps {
    const { redis, connection } = this.options;
    const asked = new Map<number, SlotToken>();
    for (const slot of this.checks.due(sequence, this.held)) {
      const held = this.held.get(slot);
      if (held !== undefined) asked.set(slot, held.token);
    }
    if (asked.size === 0) return;
    try {
      const stale = yield* answerTo<number[]>(connection.ask({ apply: () => redis.slots.stale(asked) }));
      const lost = new Set(lostSlots(asked, stale, this.held));
      this.checks.found([...asked].filter(([slot]) => !lost.has(slot)));
      this.drop([...lost]);
    } catch {
      this.checks.beatFailed();
    }
  }

  private *reconcile(): Steps {
    const { lease, connection, redis } = this.options;
    if (!lease.holds()) return;
    this.placement.refresh();
    const owners = new Map<number, SeenOwner>();
    for (;;) {
      const step = planSlots(this.view(owners));
      switch (step.kind) {
        case "drop":
          this.drop(step.slots);
          return;
        case "place":
          this.placement.refresh();
          break;
        case "read": {
          const read = yield* answerTo<(SlotOwner | undefined)[]>(connection.ask({ apply: () => redis.slots.read(step.slots) }));
          step.slots.forEach((slot, i) => owners.set(slot, read[i] ?? "none"));
          const unknown = outdatedMembers(owners.values(), this.options.members);
          if (unknown.length > 0) yield* this.options.members.readAgain(unknown);
          break;
        }
        case "acquire":
          yield* this.take(step.slots, owners);
          break;
        case "rest":
          for (const slot of step.release) this.options.machine.start(this.releaseAlone(slot));
          return;
      }
    }
  }

  private *take(wanted: readonly WantedSlot[], owners: Map<number, SeenOwner>): Steps {
    const { machine, redis, connection, lease, members } = this.options;
    const taker = { name: machine.name, incarnation: lease.incarnation, host: machine.place.name, life: machine.life };
    const settled = new Signal();
    for (const { slot } of wanted) this.asked.set(slot, settled);
    try {
      const acquire = (): (Acquired | undefined)[] => redis.slots.acquire(wanted, taker);
      const answers = yield* answerTo<(Acquired | undefined)[]>(connection.ask({ apply: acquire, isKept: true }));
      const lives = taker.incarnation === lease.incarnation && lease.holds();
      const taken = wanted.flatMap(({ slot }, i) => {
        const answer = answers[i];
        const owner = owners.get(slot);
        owners.set(slot, "tried");
        if (answer === undefined || !lives) return [];
        const { token, silent } = answer;
        this.held.set(slot, { token, phase: "held", silent });
        const facts = { members, name: machine.name, host: machine.place.name };
        redis.world.note("took", machine.name, slot, token, answer.how, silent);
        return [{ slot, token, silent, settleMs: settleMs(answer, typeof owner === "object" ? owner : undefined, facts) }];
      });
      if (taken.length > 0) yield* this.open(taken);
    } finally {
      settled.abort();
      for (const { slot } of wanted) if (this.asked.get(slot) === settled) this.asked.delete(slot);
    }
  }

  private *open(taken: readonly AcquiredSlot[]): Steps {
    const { redis, user, machine } = this.options;
    try {
      yield* user.acquired(taken);
    } catch (error) {
      this.drop(taken.flatMap(({ slot, token }) => (this.held.get(slot)?.token === token ? [slot] : [])));
      throw error;
    }
    const silent = taken.filter((slot) => slot.silent);
    if (silent.length > 0) machine.start(this.waitOut(silent));
    redis.publish("slots", taken.map(({ slot }) => slot).join(","));
  }

  /** Models `SilenceWaits`. */
  private *waitOut(silent: readonly AcquiredSlot[]): Steps {
    const { redis, connection, machine } = this.options;
    yield* pause(machine, dropMs);
    for (const { slot, token } of silent) {
      const held = this.held.get(slot);
      if (held?.token === token) this.held.set(slot, { ...held, silent: false });
    }
    try {
      yield connection.ask({ apply: () => redis.slots.settled(silent) });
    } catch {
      // The next owner waits the silence out again.
    }
  }

  private *releaseAlone(slot: number): Steps {
    const over = new Signal();
    this.releasing.add(over);
    yield* this.release(slot, false);
    this.releasing.delete(over);
    over.abort();
    if (this.held.get(slot)?.phase !== "drained") this.reconcileSoon();
  }

  private *release(slot: number, isLast: boolean): Steps {
    const { user, redis } = this.options;
    const before = this.held.get(slot);
    if (before === undefined || before.phase === "draining") return;
    const { token } = before;
    let isDrained = before.phase === "drained";
    this.turn(slot, token, "draining");
    try {
      if (!isDrained) {
        try {
          if (!(yield* this.tell(slot, token, "draining"))) {
            this.fenced(slot, token);
            return;
          }
        } catch (error) {
          if (!isLast) throw error;
        }
        yield* user.drain(slot);
        isDrained = true;
      }
      if (!(yield* this.tell(slot, token, "free"))) {
        this.fenced(slot, token);
        return;
      }
      if (this.held.get(slot)?.token === token) this.held.delete(slot);
      redis.world.note("gave back", this.options.machine.name, slot);
    } catch {
      this.turn(slot, token, isDrained ? "drained" : "held");
    }
    redis.publish("slots", String(slot));
  }

  private *tell(slot: number, token: SlotToken, state: SlotOwner["state"]): Steps<boolean> {
    const { connection, redis } = this.options;
    const written = yield* answerTo<boolean[]>(
      connection.ask({ apply: () => redis.slots.setStates([{ slot, token, state }]), isKept: true }),
    );
    return written[0] === true;
  }

  private turn(slot: number, token: SlotToken, phase: HeldSlot["phase"]): void {
    const held = this.held.get(slot);
    if (held?.token === token) this.held.set(slot, { ...held, phase });
  }

  private view(owners: ReadonlyMap<number, SeenOwner>): Parameters<typeof planSlots>[0] {
    const { machine, members, lease } = this.options;
    return {
      name: machine.name,
      host: machine.place.name,
      incarnation: lease.holds() ? lease.incarnation : undefined,
      members,
      held: this.held,
      target: this.placement.map,
      targetFits: this.placement.fits,
      targetAgeMs: this.placement.ageMs,
      stableMs: timing.stableMs,
      rejoinGraceMs: timing.rejoinGraceMs,
      owners,
      batch: 512,
      ending: this.isEnding,
    };
  }
}
