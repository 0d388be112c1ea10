import { OpenOutput, type Outcome } from "../../shared/bus/envelope.js";
import type { LocalBus } from "../../shared/bus/local-bus.js";
import type { Task } from "./task.js";

/** Replies to the router of this process. A reply cannot be lost: if the process dies, the connection of its caller ends too. */
export class LocalReplies {
  constructor(private readonly bus: Pick<LocalBus, "reply" | "done">) {}

  /** `onStored` is called once the command's record is stored. */
  async reply(task: Task, outcome: Outcome, onStored: () => void): Promise<void> {
    const { id, session, attempt } = task.envelope;
    this.bus.reply({ id, session, attempt, outcome: outcome.kind === "ok" ? openOutcome(outcome) : outcome });
    try {
      await task.recorded;
      onStored();
    } finally {
      this.forget(task.entry);
    }
  }

  forget(entryId: string): void {
    this.bus.done(entryId);
  }
}

/** An output may be absent, which is null in JSON. */
function openOutcome(outcome: Extract<Outcome, { kind: "ok" }>): Outcome {
  return { ...outcome, output: new OpenOutput(outcome.output ?? null) };
}
