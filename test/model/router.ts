import { writeEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { Envelope, Outcome, Reply } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { outcomeOf, type CallEvent, type NotSent } from "../../router/bus/call.js";
import { isRefusedWrite } from "../../shared/flow/redis-trouble.js";
import { isCutFromRedis, pause, Signal, type Machine, type Steps } from "./machine.js";
import type { Guards } from "./guards.js";
import { MemberView } from "./member-view.js";
import { Connection } from "./redis-link.js";
import type { Listener, ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { RouterCall } from "./router-call.js";
import { RouterLookout } from "./router-lookout.js";
import { RouterOwners } from "./router-owners.js";
import { RouterReplies } from "./router-replies.js";
import type { Shard } from "./shard.js";
import { replyGraceMs } from "./timing.js";

export interface RouterOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly guards: Guards;
  /** Name of its reply stream, unique for each life. */
  readonly name: string;
  /** Shard of the same process. */
  readonly local?: Shard | undefined;
}

/** Models one life of a router: `CommandClient` and `CommandSender` around the product's `nextCall`, without the order of sends. */
export class Router implements Listener {
  readonly machine: Machine;
  readonly name: string;
  readonly pending = new Map<string, RouterCall>();
  /** Calls whose caller has gone. Their outcome is dropped. */
  private readonly left = new Set<string>();
  readonly owners: RouterOwners;
  private readonly members: MemberView;
  private readonly replies: RouterReplies;
  private readonly lookout: RouterLookout;
  private readonly redis: ModelRedis;
  private readonly connection: Connection;
  private changed = new Signal();

  constructor(private readonly options: RouterOptions) {
    const { machine, redis, name } = options;
    this.machine = machine;
    this.redis = redis;
    this.name = name;
    const connection = new Connection(redis.link, machine);
    this.connection = connection;
    this.members = new MemberView(machine, redis, connection, () => this.tellChange());
    this.owners = new RouterOwners(machine, redis, connection, this.members);
    this.replies = new RouterReplies({
      machine,
      name,
      redis,
      connection,
      onReply: (reply) => this.replied(reply),
      onLost: () => this.pending.forEach((call) => call.apply({ type: "stream-lost" })),
    });
    this.lookout = new RouterLookout({
      machine,
      pending: () => [...this.pending.values()],
      owner: (slot) => this.owners.owner(slot),
      isLocal: (owner) => this.localOf(owner) !== undefined,
      looked: () => this.replies.look(),
      enqueue: (envelope, owner) => this.enqueue(envelope, owner),
      gone: (member, entries) => this.gone(member, entries),
    });
  }

  get isListening(): boolean {
    return this.machine.state === "running" && !isCutFromRedis(this.machine.place);
  }

  onNotice(channel: "members" | "slots", what: string): void {
    if (!this.isListening) return;
    if (channel === "members") return this.members.notice(what);
    for (const slot of what.split(",")) this.owners.forget(Number(slot));
    this.tellChange();
  }

  start(): void {
    const { machine, redis } = this;
    redis.listeners.add(this);
    for (const steps of [this.members.run(), this.replies.watch(), this.replies.run(), this.lookout.follow(), this.lookout.lookForLost()])
      machine.start(steps);
  }

  call(envelope: Envelope, facts: CommandFacts, onOutcome: (outcome: Outcome) => void): void {
    const { machine } = this;
    const call = new RouterCall(machine, envelope, facts, this.options.guards);
    this.pending.set(envelope.id, call);
    machine.after(facts.deadlineMs + replyGraceMs, () => call.apply({ type: "time-over", wasSent: call.isAsked }));
    machine.start(this.drive(call, onOutcome));
  }

  /** Cancels a call whose caller has gone. */
  cancel(id: string): void {
    const call = this.pending.get(id);
    if (call === undefined) return;
    const { at } = call.call;
    this.left.add(id);
    call.apply({ type: "time-over", wasSent: call.isAsked });
    const { redis, connection } = this;
    if (at === undefined) return;
    const local = this.localOf(at);
    if (local !== undefined) local.commands.leave(call.envelope.id);
    else
      connection.ask({ apply: () => redis.store.append(at.member, { kind: "cancel", id: call.envelope.id }) })({
        ok: () => undefined,
        fail: () => undefined,
      });
  }

  private *drive(call: RouterCall, onOutcome: (outcome: Outcome) => void): Steps {
    for (let outcome = outcomeOf(call.call); ; outcome = outcomeOf(call.call)) {
      if (outcome !== undefined) {
        this.pending.delete(call.envelope.id);
        if (!this.left.delete(call.envelope.id)) onOutcome(outcome);
        return;
      }
      const { state } = call.call;
      switch (state.kind) {
        case "finding-owner":
          call.apply(yield* this.send(call, state.unsure));
          break;
        case "sent":
          yield call.change();
          break;
        case "moved":
        case "waiting-for-owner":
          this.owners.forget(call.envelope.slot);
          yield* pause(this.machine, state.pauseMs, this.changed);
          if (call.call.state === state) call.apply({ type: "pause-over", now: this.machine.now() });
          break;
        case "answered":
        case "expired":
          break;
      }
    }
  }

  private *send(call: RouterCall, unsure: boolean): Steps<CallEvent> {
    const notSent = (why: NotSent): CallEvent => ({ type: "not-sent", why, crowded: false, now: this.machine.now() });
    if (call.call.isOnce && call.call.attempt > 0) {
      try {
        yield* this.replies.look();
      } catch {
        return notSent(unsure ? "UNSURE" : "NOREDIS");
      }
      if (call.isOver) return notSent(unsure ? "UNSURE" : "NOREDIS");
    }
    let isAsked = unsure;
    try {
      const owner = yield* this.owners.owner(call.envelope.slot);
      if (owner === undefined) return notSent(unsure ? "UNSURE" : "NOMEMBER");
      const local = this.localOf(owner);
      if (local !== undefined) {
        const entry = local.commands.take(call.openEnvelopeOfTry(unsure), (reply) => this.replied(reply));
        return { type: "sent", to: owner, entry };
      }
      isAsked ||= this.connection.isReady;
      call.isAsked = true;
      const sent = yield* this.enqueue(call.envelopeOfTry, owner);
      if (typeof sent === "string") return notSent(unsure ? "UNSURE" : sent);
      return { type: "sent", to: owner, entry: String(sent) };
    } catch (error) {
      if (isRefusedWrite(error) && !unsure) return notSent("NOREDIS");
      return notSent(isAsked ? "UNSURE" : "NOREDIS");
    } finally {
      call.isAsked = false;
    }
  }

  private replied({ id, outcome, attempt }: Reply): void {
    this.pending.get(id)?.apply({ type: "reply", outcome, attempt, now: this.machine.now() });
  }

  private localOf({ member }: SlotOwner): Shard | undefined {
    const { local } = this.options;
    return local?.machine.name === member && local.commands.isServing ? local : undefined;
  }

  private *enqueue(envelope: Envelope, { member }: SlotOwner): Steps<number | "BUSY" | "NOMEMBER"> {
    const bytes = writeEnvelope(envelope);
    const { redis, connection } = this;
    const apply = (): number | "BUSY" | "NOMEMBER" => redis.commands.enqueue(member, envelope.id, envelope.attempt, bytes);
    return yield* answerTo<number | "BUSY" | "NOMEMBER">(connection.ask({ apply }));
  }

  private *gone(member: string, entries: readonly number[]): Steps<number[]> {
    const { redis, connection } = this;
    return yield* answerTo<number[]>(connection.ask({ apply: () => redis.commands.gone(member, entries) }));
  }

  private tellChange(): void {
    const { changed } = this;
    this.changed = new Signal();
    changed.abort();
    this.lookout.followSoon();
  }
}
