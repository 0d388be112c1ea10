import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { CommandMetrics, CommandStage } from "./command-metrics.js";
import type { KeyedRequest } from "./record-plan.js";

/** One command on its way through this shard, and how far it has come. */
export interface Task {
  /** Id of its entry in the stream. */
  readonly entry: string;
  readonly envelope: Envelope;
  /** `undefined` for a command that this version does not know. */
  readonly facts: CommandFacts | undefined;
  /** Aborted when its slot leaves, or when the caller of a read does. */
  readonly left: Ending;
  /** Whether this try, or a former life's of the same entry, may have had its effect. */
  begun: boolean;
  /** Nobody can tell any more that nothing has begun: its record is being written, or a former try may have gone as far. */
  recording: boolean;
  /** It is a message that waits until its session may send it: nothing of it has begun. */
  waitsForPace: boolean;
  /** An owner died over it, or lost it, after it had begun. */
  repeated: boolean;
  /** Its caller has gone, and nobody waits for it at its next owner. */
  cancelled: boolean;
  /** Its caller left before it began. */
  dropped: boolean;
  /** When its last stage ended, in monotonic milliseconds. */
  stageAt: number;
  /** Resolves when its outcome is on record, or never will be, where the reply does not wait for that. */
  recorded: Promise<void> | undefined;
  /** Nothing with its effect id has begun before: what is kept under that id need not be looked for. */
  firstTry: boolean;
  /** The platform's part has begun: what fails from then on may have had its effect. */
  dispatched: boolean;
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
