import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { CommandMetrics, CommandStage } from "./command-metrics.js";
import type { KeyedRequest } from "./record-plan.js";

/**
 * Whether a command may have had its effect; it only grows. `none`: nothing of it has begun, so it may be refused and dropped. `in-doubt`: its record is being written, or a former try may have gone as far.
 * `possible`: this try, or a former life's of the same entry, may have had it.
 */
export type Effect = "none" | "in-doubt" | "possible";

/** Where this try is. `pace-line`: a message that waits until its session may send it. `platform`: from here on, what fails may have had its effect. */
export type Place = "queue" | "pace-line" | "platform";

/** `left`: its caller has gone, and nobody waits for it at its next owner. `left-early`: it went before the command began. */
export type Caller = "waits" | "left" | "left-early";

/** What its record says of tries before this one. `first`: there was none, so what is kept under its effect id need not be looked for. `repeated`: an owner died over it, or lost it, after it had begun. */
export type Tries = "unknown" | "first" | "repeated";

export interface TaskOptions {
  /** Id of its entry in the stream. */
  readonly entry: string;
  readonly envelope: Envelope;
  /** `undefined` for a command that this version does not know. */
  readonly facts: CommandFacts | undefined;
  /** Aborted when its slot leaves, or when the caller of a read does. */
  readonly left: Ending;
  /** What former tries may have done. */
  readonly effect: Effect;
}

/**
 * One command on its way through this shard, and how far it has come. It waits in queues (first for its session's pace, if it is a message), begins its record unless it is a read, runs on the platform, and
 * has its outcome recorded and told. Four states say so, and each grows by the methods below alone: its effect, its place, its caller and the tries before it.
 */
export class Task {
  readonly entry: string;
  readonly envelope: Envelope;
  readonly facts: CommandFacts | undefined;
  readonly left: Ending;
  /** When its last stage ended, in monotonic milliseconds. */
  stageAt = performance.now();
  /** Resolves when its outcome is on record, or never will be, where the reply does not wait for that. */
  recorded: Promise<void> | undefined = undefined;
  private effectNow: Effect;
  private placeNow: Place = "queue";
  private callerNow: Caller = "waits";
  private triesNow: Tries = "unknown";

  constructor({ entry, envelope, facts, left, effect }: TaskOptions) {
    this.entry = entry;
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

  enterPaceLine(): void {
    this.placeNow = "pace-line";
  }

  leavePaceLine(): void {
    this.placeNow = "queue";
  }

  /** Its record is about to be written: from here on it is not dropped. */
  doubt(): void {
    if (this.effectNow === "none") this.effectNow = "in-doubt";
  }

  /** An earlier owner had begun it. */
  wasBegun(): void {
    this.effectNow = "possible";
  }

  /** Its record stands. */
  begin(tries: Tries): void {
    this.effectNow = "possible";
    this.triesNow = tries;
  }

  /** The platform's part begins. */
  dispatch(): void {
    this.placeNow = "platform";
  }

  /** Its caller has gone. */
  leaveCaller(isEarly: boolean): void {
    this.callerNow = isEarly ? "left-early" : "left";
  }
}

/** A stage of it is over, and the next one begins. */
export function endStage(task: Task, stage: CommandStage, metrics: Pick<CommandMetrics, "stage">): void {
  const now = performance.now();
  metrics.stage(task.envelope.platform, stage, now - task.stageAt);
  task.stageAt = now;
}

/** A task of a command that is known. */
export interface KnownTask extends Task {
  readonly facts: CommandFacts;
}

export function isKnown(task: Task): task is KnownTask {
  return task.facts !== undefined;
}

/** Under which a command's record stands, and from which the ids derive that the platform sees. */
export function effectIdOf({ id, idempotency }: Pick<Envelope, "id" | "idempotency">): CommandId {
  return idempotency?.id ?? id;
}

export function keyedRequestOf({ id, session, idempotency }: Envelope): KeyedRequest | undefined {
  return idempotency && { session, id, body: idempotency.body };
}
