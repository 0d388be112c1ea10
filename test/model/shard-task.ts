import type { Envelope, OpenEnvelope } from "../../shared/bus/envelope.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { ReceivedEntry } from "../../shard/bus/entry-plan.js";
import type { Effect } from "../../shard/bus/task.js";
import { Signal } from "./machine.js";

/** A command of a shard, with the fields of the product's `Task` that decisions depend on. */
export interface ShardTask {
  readonly entry: string;
  readonly envelope: Envelope | OpenEnvelope;
  readonly facts: CommandFacts;
  /** Aborts when the slot leaves, or when the caller of a read does. */
  readonly left: Signal;
  readonly done: Signal;
  effect: Effect;
  isUnrecorded: boolean;
  dispatched: boolean;
  cancelled: boolean;
  dropped: boolean;
  following: ReceivedEntry | undefined;
}

export function newTask(entry: string, envelope: Envelope | OpenEnvelope, facts: CommandFacts, effect: Effect): ShardTask {
  return {
    entry,
    envelope,
    facts,
    left: new Signal(),
    done: new Signal(),
    effect,
    isUnrecorded: false,
    dispatched: false,
    cancelled: false,
    dropped: false,
    following: undefined,
  };
}
