import { internal, tooManyRequests } from "../../shared/contract/errors.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { CommandMetrics } from "./command-metrics.js";
import { commandOf, type CommandTables, type RunnableCommand } from "../session/command-table.js";
import type { Dispatcher } from "./dispatcher.js";
import { planFailure, type FailurePlan } from "./failure-plan.js";
import { Lanes } from "./lanes.js";
import { moved, refused, toOutcome } from "./outcomes.js";
import type { PaceLine, PaceOutcome } from "./pace-line.js";
import { needsNoRecord } from "./record-plan.js";
import type { RecordedRun } from "./recorded-run.js";
import { planStart } from "./start-plan.js";
import { Starts } from "./starts.js";
import type { CommandHead, Outcome } from "../../shared/bus/envelope.js";
import type { SessionPace } from "../tenant/pace/session-pace.js";
import type { Release } from "../flow/keyed-semaphore.js";
import type { Refusal } from "../session/refusal.js";
import { endStage, isKnown, type KnownTask, type Task } from "./task.js";

export interface ExecutorOptions {
  platforms: CommandTables;
  /** Resolves when a slot's acquisition is over and its sessions are loaded or have failed to load. Resolves in the order of the calls. */
  loaded: (slot: number) => Promise<void>;
  /** The tenant that owns the session. */
  tenantOf: (session: string) => string;
  /** Whether sessions of several tenants live here. */
  isShared: () => boolean;
  /** Token under which this process owns the slot; `undefined` when it does not own the slot. */
  token: (slot: number) => SlotToken | undefined;
  /** Pace of the session that sends the message; `undefined` when the session does not exist. */
  paceOf: (envelope: CommandHead) => SessionPace | undefined;
  paceLine: PaceLine;
  dispatcher: Dispatcher;
  recorded: RecordedRun;
  refusals: { note(refusal: Refusal): void };
  /** Whether Redis refuses writes, as far as this process knows. */
  refusesWrites: () => boolean;
  metrics: Omit<CommandMetrics, "observe" | "repeated">;
  log: Log;
}

/** What a run holds while it lasts. */
interface Held {
  readonly token: SlotToken;
  /** Aborts at the command's deadline, when its slot leaves, or when the caller of a read has gone. */
  readonly signal: Ending;
  readonly leaveLane: () => void;
}

/** Runs a command to its outcome in its lane, within its deadline and under its slot's token. */
export class Executor {
  private readonly lanes = new Lanes();
  private readonly starts: Starts;

  constructor(private readonly options: ExecutorOptions) {
    this.starts = new Starts(options);
  }

  /** Commands that wait to begin. */
  get waiting(): number {
    return this.starts.waiting;
  }

  /** Never rejects. */
  async execute(task: Task): Promise<Outcome> {
    const { metrics, loaded, platforms } = this.options;
    const { envelope } = task;
    const command = commandOf(platforms, envelope);
    if (!isKnown(task) || command === undefined) return toOutcome(internal(new Error(`unknown command ${envelope.command}`)));
    metrics.age(task.ageMs() / 1_000);
    await loaded(envelope.slot);
    // Measured after the wait, which may include a takeover of seconds: the caller may have timed out meanwhile.
    const leftMs = envelope.ttl - task.ageMs();
    if (leftMs <= 0) return { kind: "expired" };
    const token = this.options.token(envelope.slot);
    if (token === undefined) return movedFrom(task);
    return this.inLane(task, command, token, leftMs);
  }

  /** Rejects a command whose session or tenant has used its share of this shard's places. */
  turnAway(): Outcome {
    this.options.metrics.rejected("share");
    return refused();
  }

  private async inLane(task: KnownTask, command: RunnableCommand, token: SlotToken, leftMs: number): Promise<Outcome> {
    const { envelope, facts, left } = task;
    const end = new AbortScope([left], leftMs);
    let paced: PaceOutcome | undefined;
    let leaveLane: Release | undefined;
    try {
      paced = await this.paced(task, end, leftMs);
      if (paced?.kind === "refused") return toOutcome(tooManyRequests(paced.waitMs));
      leaveLane = await this.lanes.enter(envelope.session, facts.lane, end, task.effect === "none");
      const begins =
        leaveLane !== undefined &&
        (await this.starts.enter(this.options.tenantOf(envelope.session), envelope.session, end, task.effect === "none"));
      const plan = planStart({
        dropped: task.caller === "left-early",
        left: left.aborted || this.options.token(envelope.slot) !== token,
        late: end.aborted,
        hasPlace: begins,
      });
      if (plan === "drop") return this.drop();
      if (plan === "move") return movedFrom(task);
      if (plan === "expire") return { kind: "expired" };
      if (leaveLane === undefined) return this.refuse();
      if (plan === "refuse") return this.turnAway();
      return await this.run(task, command, { token, signal: end, leaveLane });
    } catch (error) {
      return this.outcomeOf(this.judge(error, task, end), error, task);
    } finally {
      end.close();
      leaveLane?.();
      if (paced?.kind === "turn") paced.turn?.end();
    }
  }

  /** Holds a message until its session may send it. */
  private async paced(task: KnownTask, signal: Ending, leftMs: number): Promise<PaceOutcome | undefined> {
    const pace = task.facts.isMessage ? this.options.paceOf(task.envelope) : undefined;
    if (pace === undefined) return undefined;
    const isOnRecord = (): Promise<boolean> => this.options.recorded.isOnRecord(task, signal);
    return await this.options.paceLine.enter(task, pace, { signal, leftMs, isOnRecord });
  }

  private async run(task: KnownTask, command: RunnableCommand, { token, signal, leaveLane }: Held): Promise<Outcome> {
    const { metrics } = this.options;
    const dispatch = async (): Promise<unknown> => {
      endStage(task, "begin", metrics);
      try {
        return await this.options.dispatcher.dispatch(task, command, signal, leaveLane);
      } finally {
        endStage(task, "platform", metrics);
      }
    };
    const commandClass = task.facts.class;
    if (commandClass === "read") return { kind: "ok", output: await dispatch() };
    // `begin` waits for a Redis that refuses writes, and then fails with 503.
    if (needsNoRecord(task.envelope, task.facts) && !this.options.refusesWrites()) {
      task.goUnrecorded();
      return { kind: "ok", output: await dispatch() };
    }
    const run = (): Promise<Outcome> =>
      dispatch().then(
        (output): Outcome => ({ kind: "ok", output }),
        (error: unknown): Outcome => {
          const plan = this.judge(error, task, signal);
          if (plan.kind !== "answered") throw error;
          return this.outcomeOf(plan, error, task);
        },
      );
    const outcome = await this.options.recorded.run(task, { commandClass, token, signal, yieldLane: leaveLane, run });
    if (task.place === "platform") endStage(task, "record", metrics);
    return outcome;
  }

  private judge(error: unknown, { facts, effect, place, caller, left }: KnownTask, signal: Ending): FailurePlan {
    return planFailure(error, {
      facts,
      begun: effect === "possible",
      dispatched: place === "platform",
      dropped: caller === "left-early",
      left: left.aborted,
      late: signal.aborted,
    });
  }

  private outcomeOf(plan: FailurePlan, error: unknown, task: Task): Outcome {
    if (plan.kind === "dropped") return this.drop();
    if (plan.kind === "moved") return movedFrom(task);
    const { command, id, requestId, platform, session } = task.envelope;
    const { status, message } = plan.outcome;
    const kind = this.options.platforms[platform].refusalOf(error);
    if (kind !== undefined && task.facts !== undefined)
      this.options.refusals.note({ platform, session, kind, class: task.facts.class, message });
    if (plan.report === "cause")
      this.options.log.info(
        { command, status, reason: message, requestId, err: error instanceof Error ? error.cause : error },
        "command rejected",
      );
    if (plan.report === "failure") this.options.log.error({ command, id, requestId, err: error }, "command failed");
    return plan.outcome;
  }

  /** Drops the outcome: the caller has gone. */
  private drop(): Outcome {
    this.options.metrics.rejected("left");
    return { kind: "expired" };
  }

  /** Rejects a command whose session's lane is full. */
  private refuse(): Outcome {
    this.options.metrics.rejected("queue");
    return refused();
  }
}

function movedFrom({ effect, isUnrecorded }: Task): Outcome {
  return moved({ begun: effect === "possible", unrecorded: isUnrecorded });
}
