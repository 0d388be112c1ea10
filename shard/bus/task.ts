import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { CommandHead, Envelope, OpenEnvelope } from "../../shared/bus/envelope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { CommandMetrics, CommandStage } from "./command-metrics.js";
import type { KeyedRequest } from "./record-plan.js";

/**
 * Whether a command may have had its effect; it only grows. `none`: nothing has begun, so it may be dropped. `in-doubt`: its record is
 * being written here, or an earlier owner may have written one. `possible`: this run or an earlier one has begun.
 */
export type Effect = "none" | "in-doubt" | "possible";

/**
 * Stage of this try. `pace-line`: a message waits until its session may send. `platform`: from here on a failed command may have had its
 * effect.
 */
export type Place = "queue" | "pace-line" | "platform";

/** `left`: the caller has gone and does not wait at the next owner. `left-early`: the caller left before the command began. */
export type Caller = "waits" | "left" | "left-early";

/**
 * What the record says of earlier tries. `first`: there was none, so nothing stored under its effect id is read. `repeated`: an owner died
 * over the command, or lost it, after it had begun.
 */
export type Tries = "unknown" | "first" | "repeated";

export interface TaskOptions {
  /** Id of its entry in the stream or on the local bus. */
  readonly entry: string;
  /** Returns the milliseconds since the router enqueued it. */
  readonly ageMs: () => number;
  readonly envelope: Envelope | OpenEnvelope;
  /** `undefined` for a command that this version does not know. */
  readonly facts: CommandFacts | undefined;
  /** Aborted when its slot leaves, or when the caller of a read has gone. */
  readonly left: Ending;
  /** What earlier tries may have done. */
  readonly effect: Effect;
}

/** One command on its way through this shard. Only the methods below change its effect, place, caller and earlier tries. */
export class Task {
  readonly entry: string;
  readonly ageMs: () => number;
  readonly envelope: Envelope | OpenEnvelope;
  readonly facts: CommandFacts | undefined;
  readonly left: Ending;
  /** End of its last stage, in monotonic milliseconds. */
  stageAt = performance.now();
  /** Resolves when the outcome is recorded or never will be. Set only where the reply does not wait for the record. */
  recorded: Promise<void> | undefined = undefined;
  private effectNow: Effect;
  private placeNow: Place = "queue";
  private callerNow: Caller = "waits";
  private triesNow: Tries = "unknown";
  private isUnrecordedNow = false;

  constructor({ entry, ageMs, envelope, facts, left, effect }: TaskOptions) {
    this.entry = entry;
    this.ageMs = ageMs;
    this.envelope = envelope;
    this.facts = facts;
    this.left = left;
    this.effectNow = effect;
  }

  get effect(): Effect {
    return this.effectNow;
  }

  get place(): Place {
    return this.placeNow;
  }

  get caller(): Caller {
    return this.callerNow;
  }

  get tries(): Tries {
    return this.triesNow;
  }

  /** The command runs here without a record. */
  get isUnrecorded(): boolean {
    return this.isUnrecordedNow;
  }

  enterPaceLine(): void {
    this.placeNow = "pace-line";
  }

  leavePaceLine(): void {
    this.placeNow = "queue";
  }

  /** Marks the record as about to be written. From now on the command is never dropped. */
  doubt(): void {
    if (this.effectNow === "none") this.effectNow = "in-doubt";
  }

  /** Notes that this first try keeps no record. */
  goUnrecorded(): void {
    this.isUnrecordedNow = true;
    this.triesNow = "first";
  }

  /** Notes that an earlier owner had begun the command. */
  wasBegun(): void {
    this.effectNow = "possible";
  }

  /** Notes that the begin record is stored. */
  begin(tries: Tries): void {
    this.effectNow = "possible";
    this.triesNow = tries;
  }

  /** Notes that the platform call begins. Without a record the command has begun from here on. */
  dispatch(): void {
    this.placeNow = "platform";
    if (this.isUnrecordedNow) this.effectNow = "possible";
  }

  /** Notes that the caller has gone. */
  leaveCaller(isEarly: boolean): void {
    this.callerNow = isEarly ? "left-early" : "left";
  }
}

/** Ends a stage of the command and begins the next one. */
export function endStage(task: Task, stage: CommandStage, metrics: Pick<CommandMetrics, "stage">): void {
  const now = performance.now();
  metrics.stage(task.envelope.platform, stage, now - task.stageAt);
  task.stageAt = now;
}

/** A task whose command this version knows. */
export interface KnownTask extends Task {
  readonly facts: CommandFacts;
}

export function isKnown(task: Task): task is KnownTask {
  return task.facts !== undefined;
}

/** Returns the id under which the command's record is stored and from which the platform's ids derive. */
export function effectIdOf({ id, idempotency }: Pick<CommandHead, "id" | "idempotency">): CommandId {
  return idempotency?.id ?? id;
}

export function keyedRequestOf({ id, session, idempotency }: CommandHead): KeyedRequest | undefined {
  return idempotency && { session, id, body: idempotency.body };
}
