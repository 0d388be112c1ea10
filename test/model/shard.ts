import { connectGapMs } from "../../shard/cluster/settle-gap.js";
import type { AcquiredSlot } from "../../shard/cluster/slot-listener.js";
import type { Guards } from "./guards.js";
import { isCutFromRedis, until, type Machine, type Steps } from "./machine.js";
import { MemberView } from "./member-view.js";
import type { Platform } from "./platform.js";
import { Connection } from "./redis-link.js";
import type { Listener, ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { ShardCommands } from "./shard-commands.js";
import { ShardLease } from "./shard-lease.js";
import { ShardRun } from "./shard-run.js";
import { ShardSession } from "./shard-session.js";
import { ShardSlots } from "./shard-slots.js";
import { ShardStream } from "./shard-stream.js";
import { dropMs } from "./timing.js";

export interface ShardOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly platform: Platform;
  readonly guards: Guards;
  /** The member's place in the feed of beats. */
  readonly place: number;
}

/** Models one life of a shard, with the parts of `shard/shard.ts` and `shard/cluster/host.ts`. */
export class Shard implements Listener {
  readonly lease: ShardLease;
  readonly slots: ShardSlots;
  readonly sessions = new Map<number, ShardSession>();
  private readonly members: MemberView;
  readonly commands: ShardCommands;
  private readonly connection: Connection;

  constructor(private readonly options: ShardOptions) {
    const { machine, redis, platform, place } = options;
    const connection = new Connection(redis.link, machine);
    this.connection = connection;
    this.members = new MemberView(machine, redis, connection, () => this.slots.reconcileSoon());
    this.lease = new ShardLease(machine, redis, place, {
      joined: () => this.slots.reconcileSoon(),
      beat: (sequence) => machine.start(this.slots.verify(sequence)),
      unanswered: () => this.slots.beatUnanswered(),
      fenced: () => this.slots.drop([...this.slots.held.keys()]),
    });
    this.slots = new ShardSlots({
      machine,
      redis,
      connection,
      members: this.members,
      lease: this.lease,
      user: {
        acquired: (slots) => this.acquired(slots),
        drain: (slot) => this.drain(slot),
        lost: (slots) => this.lost(slots),
      },
    });
    const run = new ShardRun({
      machine,
      redis,
      connection,
      platform,
      ageOf: (entry) => this.commands.ageOf(entry),
      loaded: (slot) => this.loaded(slot),
      token: (slot) => this.slots.token(slot),
      session: (slot) => this.sessions.get(slot),
    });
    this.commands = new ShardCommands({ machine, redis, connection, run });
  }

  get machine(): Machine {
    return this.options.machine;
  }

  get isListening(): boolean {
    const { machine } = this.options;
    return machine.state === "running" && !isCutFromRedis(machine.place);
  }

  onNotice(channel: "members" | "slots", what: string): void {
    if (!this.isListening) return;
    if (channel === "members") this.members.notice(what);
    else this.slots.reconcileSoon();
  }

  start(): void {
    const { machine, redis, connection } = { ...this.options, connection: this.connection };
    redis.listeners.add(this);
    const stream = new ShardStream({ machine, redis, connection, onEntry: (entry) => this.commands.read(entry) });
    for (const steps of [this.lease.run(), this.members.run(), this.slots.run(), this.commands.sampleClock(), stream.run()])
      machine.start(steps);
  }

  /** Handles SIGTERM. Calls `onEnd` when every slot is released. */
  stop(onEnd: () => void): void {
    this.options.machine.start(this.end(onEnd));
  }

  private *end(onEnd: () => void): Steps {
    yield* this.lease.announceDraining();
    yield* this.slots.end();
    this.commands.close();
    yield* this.lease.leave();
    onEnd();
  }

  private *loaded(slot: number): Steps {
    const settled = this.slots.settled(slot);
    if (settled !== undefined) yield* until(settled);
  }

  /** Models `acquired` of `Host`. */
  private *acquired(slots: readonly AcquiredSlot[]): Steps {
    const { machine, redis, platform, guards } = this.options;
    yield* answerTo(this.connection.ask({ apply: () => undefined }));
    for (const acquired of slots) {
      const { slot, token } = acquired;
      if (!this.slots.holds(slot, token) || this.sessions.has(slot)) continue;
      const session = new ShardSession({
        machine,
        redis,
        connection: this.connection,
        platform,
        slot,
        token,
        holds: () => this.slots.holds(slot, token),
        onFenced: () => this.slots.fenced(slot, token),
      });
      this.sessions.set(slot, session);
      machine.start(session.run(guards.settleGap ? connectGapMs(acquired, "connected", dropMs) : 0));
    }
  }

  private *drain(slot: number): Steps {
    yield* this.commands.quiesce(slot);
    this.close(slot);
  }

  private lost(slots: readonly number[]): void {
    this.commands.abandon(slots);
    for (const slot of slots) this.close(slot);
  }

  private close(slot: number): void {
    this.sessions.get(slot)?.close();
    this.sessions.delete(slot);
  }
}
