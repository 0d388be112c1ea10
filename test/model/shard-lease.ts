import { beatTag } from "../../shared/cluster/beat-feed.js";
import { isValid, nextBeatMs, nextLease, toBury, type Lease, type LeaseEvent } from "../../shard/cluster/lease.js";
import { pause, type Machine, type Steps } from "./machine.js";
import { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { heartbeatTimeoutMs, timing } from "./timing.js";

/** Receives the events of the lease. */
export interface LeaseListener {
  joined(): void;
  beat(sequence: number): void;
  unanswered(): void;
  fenced(): void;
}

/** Models `LeaseKeeper` of `shard/cluster/lease-keeper.ts` around the product's `nextLease`. */
export class ShardLease {
  private lease: Lease = { kind: "none" };
  private readonly connection: Connection;
  private isLeaving = false;
  private timers = 0;
  private joins = 0;

  constructor(
    private readonly machine: Machine,
    private readonly redis: ModelRedis,
    private readonly place: number,
    private readonly listener: LeaseListener,
  ) {
    this.connection = new Connection(redis.link, machine);
  }

  get incarnation(): string {
    return this.lease.kind === "held" ? this.lease.incarnation : "";
  }

  holds(): boolean {
    return isValid(this.lease, this.machine.now());
  }

  *run(): Steps {
    while (!this.isLeaving) {
      if (this.lease.kind === "held") yield* this.beat(this.lease.incarnation);
      else yield* this.tryJoin();
      yield* pause(this.machine, nextBeatMs(this.lease, timing));
    }
  }

  /** Leaves the cluster in order, after the shard has released its slots. */
  *leave(): Steps {
    this.isLeaving = true;
    const { incarnation, machine, redis } = this;
    if (incarnation === "") return;
    const gone = (): boolean => redis.members.setState(machine.name, incarnation, "gone");
    try {
      yield this.connection.ask({ apply: gone });
      redis.publish("members", machine.name);
    } catch {
      // A watching member buries this one.
    }
    this.apply({ type: "left" });
  }

  *announceDraining(): Steps {
    const { incarnation, machine, redis } = this;
    if (incarnation === "") return;
    try {
      yield this.connection.ask({ apply: () => redis.members.setState(machine.name, incarnation, "draining") });
      redis.publish("members", machine.name);
    } catch {
      // The shard releases its slots in any case.
    }
  }

  private *beat(incarnation: string): Steps {
    const { machine, redis } = this;
    const sentAt = machine.now();
    try {
      const apply = (): number | undefined => redis.members.heartbeat(machine.name, incarnation);
      const sequence = yield* answerTo<number | undefined>(this.connection.ask({ apply, timeoutMs: heartbeatTimeoutMs }));
      this.apply({ type: "beat-response", incarnation, good: sequence !== undefined, sentAt });
      if (sequence === undefined || this.incarnation !== incarnation) return;
      this.tell(incarnation, sequence);
      this.listener.beat(sequence);
    } catch {
      this.apply({ type: "beat-failed", incarnation });
      this.listener.unanswered();
    }
  }

  private *tryJoin(): Steps {
    const { machine, redis, place } = this;
    try {
      yield* this.buryFormer();
      const incarnation = `${machine.name}.${machine.life}.${++this.joins}`;
      this.apply({ type: "join-sent", incarnation });
      const sentAt = machine.now();
      const apply = (): boolean => redis.members.join({ name: machine.name, incarnation, weight: 1, host: machine.place.name, place });
      const joined = yield* answerTo<boolean>(this.connection.ask({ apply, timeoutMs: heartbeatTimeoutMs }));
      this.apply({ type: "join-response", incarnation, joined, sentAt });
      if (!joined) return;
      redis.world.note("joined", incarnation);
      redis.publish("members", machine.name);
      this.tell(incarnation, 1);
      this.listener.joined();
    } catch {
      // The next attempt buries a member that may have joined.
    }
  }

  private *buryFormer(): Steps {
    const former = toBury(this.lease);
    if (former === undefined) return;
    const { machine, redis } = this;
    const bury = (): boolean => redis.members.bury(machine.name, former, "*", "fenced");
    if (yield* answerTo<boolean>(this.connection.ask({ apply: bury, timeoutMs: heartbeatTimeoutMs })))
      redis.publish("members", machine.name);
  }

  private tell(incarnation: string, sequence: number): void {
    const { machine, redis, connection } = this;
    const beat = { tag: beatTag(incarnation), sequence, isDraining: false };
    const tell = connection.ask({ apply: () => redis.members.tellBeat(machine.name, beat) });
    tell({ ok: () => undefined, fail: () => undefined });
  }

  private apply(event: LeaseEvent): void {
    const before = this.lease;
    const lease = nextLease(before, event, this.machine.now(), timing);
    this.lease = lease;
    const timer = ++this.timers;
    if (lease.kind === "held")
      this.machine.after(Math.max(1, lease.validUntil - this.machine.now()), () => timer === this.timers && this.apply({ type: "expiry" }));
    if (before.kind !== "held" || lease.kind !== "lost") return;
    this.redis.world.note("lost its lease", lease.incarnation, lease.why);
    this.listener.fenced();
    this.machine.start(quietly(this.buryFormer()));
  }
}

function* quietly(steps: Steps): Steps {
  try {
    yield* steps;
  } catch {
    // The next join buries the former incarnation.
  }
}
