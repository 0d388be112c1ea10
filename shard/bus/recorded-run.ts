import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { internal, sessionNotActive, sessionNotConnected } from "../../shared/contract/errors.js";
import type { Outcome } from "../../shared/bus/envelope.js";
import { retryUntil } from "../redis/retry.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { randomNonce } from "../../shared/config/random-nonce.js";
import type { Log } from "../../shared/log/logger.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";
import { refusedWaitMs, type CommandLog } from "./command-log.js";
import type { CommandMetrics } from "./command-metrics.js";
import { toOutcome } from "./outcomes.js";
import { planConnection, planRecord, planReplay, runsAgain, waitsForConnection, type RecordPlan } from "./record-plan.js";
import { isConnected, isDisconnected, type SessionFinder } from "./session-finder.js";
import { effectIdOf, keyedRequestOf, type KnownTask } from "./task.js";

/** Interval at which a command that may have been sent checks whether its session is connected again. */
const reconnectPollMs = 250;

export interface RecordedRunOptions {
  commandLog: CommandLog;
  finder: SessionFinder;
  metrics: Pick<CommandMetrics, "repeated" | "idempotent">;
  log: Log;
}

/** One run of a command that is recorded. */
export interface RunParts {
  readonly commandClass: Exclude<CommandClass, "read">;
  readonly token: SlotToken;
  /** Aborts at the command's deadline, or with `task.left`. */
  readonly signal: Ending;
  readonly yieldLane: () => void;
  /** Runs the platform call. Rejects only when no outcome is to be recorded. */
  readonly run: () => Promise<Outcome>;
}

/** Runs sends and once-only commands between `begin` and `finish`, so that the next owner knows how far they came. */
export class RecordedRun {
  /** Lets one run at a time of each idempotency key begin. */
  private readonly turns = new KeyedSemaphore([Number.POSITIVE_INFINITY, 1]);

  constructor(private readonly options: RecordedRunOptions) {}

  async run(task: KnownTask, { commandClass, token, signal, yieldLane, run }: RunParts): Promise<Outcome> {
    const { idempotency } = task.envelope;
    if (idempotency === undefined) return this.runAlone(task, { commandClass, token, signal, yieldLane, run });
    const leave = await this.turnOf(idempotency.id, { signal, yieldLane });
    try {
      const earlier = idempotency.replayOnly === true ? await this.replayed(task, signal) : undefined;
      return earlier ?? (await this.runAlone(task, { commandClass, token, signal, yieldLane, run }));
    } finally {
      leave();
    }
  }

  /** Whether an earlier try is recorded. A command that no other try can have begun skips the read. */
  async isOnRecord({ envelope, effect }: KnownTask, signal: Ending): Promise<boolean> {
    if (effect === "none" && envelope.idempotency === undefined) return false;
    if (envelope.begun === true) return true;
    const read = () => this.options.commandLog.read(envelope.slot, effectIdOf(envelope), keyedRequestOf(envelope));
    return envelope.idempotency?.replayOnly === true || (await retryUntil(read, signal)) !== undefined;
  }

  /** Handles a request that may begin nothing new. A command that an owner died over goes on, because it has begun. */
  private async replayed({ envelope }: KnownTask, signal: Ending): Promise<Outcome | undefined> {
    const read = () => this.options.commandLog.read(envelope.slot, effectIdOf(envelope), keyedRequestOf(envelope));
    const plan = planReplay(await retryUntil(read, signal));
    return plan === "go-on" ? undefined : this.countReplay(plan);
  }

  /** Waits until the run of the same idempotency key has ended, and lets other commands of the lane go first meanwhile. */
  private async turnOf(id: CommandId, { signal, yieldLane }: Pick<RunParts, "signal" | "yieldLane">): Promise<Release> {
    const free = this.turns.tryEnter([id]);
    if (free !== undefined) return free;
    this.options.metrics.idempotent("waited");
    yieldLane();
    return await this.turns.enter([id], signal);
  }

  private async runAlone(task: KnownTask, { commandClass, token, signal, yieldLane, run }: RunParts): Promise<Outcome> {
    const { commandLog, metrics } = this.options;
    const { slot, begun: hasBegun } = task.envelope;
    const id = effectIdOf(task.envelope);
    const request = keyedRequestOf(task.envelope);
    const earlier = await this.awaitConnection(task, signal, yieldLane);
    if (earlier !== undefined) return this.countReplay(earlier);
    const claim = randomNonce(9).toString("base64url");
    task.doubt();
    const plan = planRecord(
      await retryUntil(() => commandLog.begin(slot, token, id, commandClass, claim, request), signal, refusedWaitMs),
      hasBegun,
    );
    if (plan.kind === "answer") return this.countReplay(plan.outcome);
    if (plan.kind === "refuse") return this.refuse(plan);
    if (plan.kind === "give-up") return this.giveUp(task, plan.why);
    // With an idempotency key, an earlier request may have run under the same id, and its record allowed another run.
    task.begin(plan.repeated ? "repeated" : request === undefined ? "first" : "unknown");
    if (plan.repeated) metrics.repeated();
    const outcome = await run();
    // A deleted session's slot is still ours: the record stays writable.
    const again = runsAgain(outcome, task.facts, task.place === "platform");
    const recorded = retryUntil(() => commandLog.finish(slot, token, id, outcome, request, again), task.left);
    if (commandClass === "send" && request === undefined) task.recorded = recorded.catch((error: unknown) => this.unrecorded(task, error));
    else await recorded;
    return outcome;
  }

  /** The entry is removed all the same: the router has its reply, and the platform removes a duplicate. */
  private unrecorded({ envelope: { command, id, requestId } }: KnownTask, error: unknown): void {
    this.options.log.warn({ command, id, requestId, err: error }, "command outcome not recorded");
  }

  private countReplay(outcome: Outcome): Outcome {
    if ((outcome.kind === "ok" || outcome.kind === "error") && outcome.replayed === true) this.options.metrics.idempotent("replayed");
    return outcome;
  }

  private refuse({ why, error }: Extract<RecordPlan, { kind: "refuse" }>): Outcome {
    this.options.metrics.idempotent(why);
    return toOutcome(error);
  }

  /**
   * Waits for the session's connection. Nothing begins during the wait, so an owner's death meanwhile leaves no doubt. Resolves with the
   * outcome of an earlier try, which needs no connection.
   */
  private async awaitConnection(task: KnownTask, signal: Ending, yieldLane: () => void): Promise<Outcome | undefined> {
    const { finder, commandLog } = this.options;
    const { envelope, facts } = task;
    const live = finder.unconnected(envelope, facts);
    if (live === undefined) return undefined;
    const recorded = await retryUntil(() => commandLog.read(envelope.slot, effectIdOf(envelope), keyedRequestOf(envelope)), signal);
    const earlier = recorded ?? (envelope.begun === true ? "begun" : undefined);
    // `begin` returns the 422 for a different body.
    if (earlier === "other") return undefined;
    if (earlier !== undefined && earlier !== "begun") return earlier;
    if (earlier === "begun") task.wasBegun();
    await finder.connectEnded(live, signal);
    switch (planConnection({ connected: isConnected(live), closed: live.signal.aborted }, earlier)) {
      case "not-active":
        throw sessionNotActive();
      case "not-connected":
        throw sessionNotConnected();
      case "wait":
        yieldLane();
        while (waitsForConnection(facts.class, { disconnected: isDisconnected(live), closed: live.signal.aborted })) {
          await pause(reconnectPollMs, signal);
          signal.throwIfAborted();
        }
        return undefined;
      case "go-on":
        return undefined;
    }
  }

  private giveUp(task: KnownTask, why: "unknown" | "poison"): Outcome {
    const { command, id, requestId } = task.envelope;
    const text = why === "unknown" ? "command outcome unknown, not repeated" : "command repeated too often, abandoned";
    this.options.log.error({ command, id, requestId }, text);
    return toOutcome(internal());
  }
}
