import type { Outcome } from "../../shared/bus/envelope.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { internal, sessionNotActive, sessionNotConnected, sessionNotFound } from "../../shared/contract/errors.js";
import { FencedError } from "../../shared/redis/script.js";
import { refusedWaitMs } from "../../shard/bus/command-log.js";
import { planFailure } from "../../shard/bus/failure-plan.js";
import { moved, toOutcome } from "../../shard/bus/outcomes.js";
import { needsNoRecord, planConnection, planRecord, waitsForConnection, type Begun, type Earlier } from "../../shard/bus/record-plan.js";
import { planStart } from "../../shard/bus/start-plan.js";
import { pause, Signal, type Machine, type Steps } from "./machine.js";
import type { Platform } from "./platform.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { retryUntil } from "./retry.js";
import type { ShardSession } from "./shard-session.js";
import type { ShardTask } from "./shard-task.js";
import { reconnectLookMs, timing } from "./timing.js";

const responseLookMs = 100;

export interface ShardRunOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly platform: Platform;
  /** Returns milliseconds since the entry was added. */
  readonly ageOf: (entry: string) => number;
  readonly loaded: (slot: number) => Steps;
  readonly token: (slot: number) => SlotToken | undefined;
  readonly session: (slot: number) => ShardSession | undefined;
}

/** Models `Executor`, `RecordedRun` and `Dispatcher` of `shard/bus`. Lanes, shares and paces are left out because they only delay. */
export class ShardRun {
  private claims = 0;

  constructor(private readonly options: ShardRunOptions) {}

  *execute(task: ShardTask): Steps<Outcome> {
    const { machine, ageOf, token: tokenOf } = this.options;
    const { envelope, entry, left } = task;
    yield* this.options.loaded(envelope.slot);
    const leftMs = envelope.ttl - ageOf(entry);
    if (leftMs <= 0) return { kind: "expired" };
    const token = tokenOf(envelope.slot);
    if (token === undefined) return movedFrom(task);
    const end = new Signal();
    left.onAbort(() => end.abort());
    machine.after(leftMs, () => end.abort());
    try {
      const hasLeft = left.aborted || tokenOf(envelope.slot) !== token;
      const plan = planStart({ dropped: task.dropped, left: hasLeft, late: end.aborted, hasPlace: true });
      if (plan === "drop" || plan === "expire") return { kind: "expired" };
      if (plan !== "run") return movedFrom(task);
      // A shard that does not know yet that Redis refuses writes keeps no record either.
      task.isUnrecorded = needsNoRecord(envelope, task.facts);
      const isAlone = task.facts.class === "read" || task.isUnrecorded;
      return isAlone ? yield* this.dispatch(task, end) : yield* this.recorded(task, token, end);
    } catch (error) {
      const { facts, dispatched, dropped } = task;
      const plan = planFailure(error, {
        facts,
        begun: task.effect === "possible",
        dispatched,
        dropped,
        left: left.aborted,
        late: end.aborted,
      });
      if (plan.kind === "dropped") return { kind: "expired" };
      return plan.kind === "moved" ? movedFrom(task) : plan.outcome;
    }
  }

  private *recorded(task: ShardTask, token: SlotToken, end: Signal): Steps<Outcome> {
    const { machine, redis, connection } = this.options;
    const { envelope, facts, left } = task;
    const earlier = yield* this.awaitConnection(task, end);
    if (earlier !== undefined) return earlier;
    const claim = `${machine.life}.${++this.claims}`;
    const record = { slot: envelope.slot, token, id: envelope.id, life: machine.life };
    const commandClass = facts.class === "once" ? "once" : "send";
    if (task.effect === "none") task.effect = "in-doubt";
    const begin = (): Begun | "FENCED" => redis.commands.begin(record, commandClass, claim);
    const begun = yield* retryUntil<Begun | "FENCED">(machine, () => connection.ask({ apply: begin, isKept: true }), end, refusedWaitMs);
    if (begun === "FENCED") throw new FencedError();
    const plan = planRecord(begun, envelope.begun);
    if (plan.kind === "answer") return plan.outcome;
    if (plan.kind === "refuse") return toOutcome(plan.error);
    if (plan.kind === "give-up") return toOutcome(internal());
    task.effect = "possible";
    const outcome = yield* this.outcomeToKeep(task, end);
    const finish = (): boolean => redis.commands.finish(record, outcome);
    const finished = retryUntil<boolean>(machine, () => connection.ask({ apply: finish }), left);
    // The reply of a send does not wait for its record.
    if (commandClass === "send") machine.start(quietly(finished));
    else if (!(yield* finished)) throw new FencedError();
    return outcome;
  }

  /** Returns the outcome to record. Throws when nothing is to be recorded. */
  private *outcomeToKeep(task: ShardTask, end: Signal): Steps<Outcome> {
    try {
      return yield* this.dispatch(task, end);
    } catch (error) {
      const { facts, dispatched, dropped, left } = task;
      const plan = planFailure(error, {
        facts,
        begun: task.effect === "possible",
        dispatched,
        dropped,
        left: left.aborted,
        late: end.aborted,
      });
      if (plan.kind !== "answered") throw error;
      return plan.outcome;
    }
  }

  private *dispatch(task: ShardTask, end: Signal): Steps<Outcome> {
    const { machine, redis, platform } = this.options;
    const { slot, id } = task.envelope;
    const live = this.options.session(slot);
    if (live === undefined) throw sessionNotFound();
    if (!live.isConnected) yield* this.connectEnded(live, end);
    if (live.closed.aborted) throw sessionNotActive();
    if (!live.isConnected) throw sessionNotConnected();
    requireGoing(end);
    task.dispatched = true;
    if (task.isUnrecorded) task.effect = "possible";
    const { random } = redis.world;
    yield* pause(machine, random.between(1, 50), end);
    requireGoing(end);
    let hasArrived = false;
    if (!live.perform((wire) => platform.perform(wire, id, () => (hasArrived = true)))) throw sessionNotConnected();
    const tookMs = random.chance(0.1) ? random.between(500, 8_000) : random.between(80, 300);
    yield* pause(machine, Math.max(tookMs, platform.stalledUntil - redis.world.now), end, live.closed);
    // The response needs the network too.
    while (live.isConnected && !(hasArrived && machine.place.cutSince === undefined)) {
      requireGoing(end);
      yield* pause(machine, responseLookMs, end, live.closed);
    }
    requireGoing(end);
    // The platform may have the command, and only its reply is lost.
    if (!live.isConnected) throw internal();
    return { kind: "ok", output: null };
  }

  /** Waits until the command's session is connected. Resolves with the outcome of an earlier attempt if there is one. */
  private *awaitConnection(task: ShardTask, end: Signal): Steps<Outcome | undefined> {
    const { machine, redis, connection } = this.options;
    const { slot, id, begun: hasBegun } = task.envelope;
    const live = this.options.session(slot);
    if (live === undefined || live.isConnected) return undefined;
    const look = connection.ask({ apply: () => redis.commands.look(id) });
    const recorded = yield* retryUntil<Earlier>(machine, () => look, end);
    const earlier = recorded ?? (hasBegun === true ? "begun" : undefined);
    if (earlier === "other") return undefined;
    if (earlier !== undefined && earlier !== "begun") return earlier;
    if (earlier === "begun") task.effect = "possible";
    yield* this.connectEnded(live, end);
    switch (planConnection({ connected: live.isConnected, closed: live.closed.aborted }, earlier)) {
      case "not-active":
        throw sessionNotActive();
      case "not-connected":
        throw sessionNotConnected();
      case "wait":
        while (waitsForConnection(task.facts.class, { disconnected: !live.isConnected, closed: live.closed.aborted })) {
          yield* pause(machine, reconnectLookMs, end);
          requireGoing(end);
        }
        return undefined;
      case "go-on":
        return undefined;
    }
  }

  private *connectEnded(live: ShardSession, end: Signal): Steps {
    yield* pause(this.options.machine, timing.connectWaitMs, live.connectEnded, end);
    requireGoing(end);
  }
}

function movedFrom({ effect, isUnrecorded }: ShardTask): Outcome {
  return moved({ begun: effect === "possible", unrecorded: isUnrecorded });
}

function requireGoing(end: Signal): void {
  if (end.aborted) throw new DOMException("ended", "AbortError");
}

function* quietly(steps: Steps<unknown>): Steps {
  try {
    yield* steps;
  } catch {
    // The entry is deleted in any case, because the router has its reply.
  }
}
