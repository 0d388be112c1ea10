import { findFacts } from "../../shared/contract/commands.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope, OpenEnvelope } from "../../shared/bus/envelope.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { planCancel, planEntry, type EntriesInFlight, type ReceivedEntry } from "./entry-plan.js";
import type { Places } from "./places.js";
import { Task, type Effect } from "./task.js";

export interface IntakeOptions {
  places: Pick<Places, "inFlight" | "take">;
  /** Returns the milliseconds since the router enqueued the entry. */
  ageOf: (entry: string) => number;
  replies: { forget(entry: string): void };
  /** Runs a command to its outcome and never rejects. `admitted` is false when the session or tenant has used its share. */
  work: (task: Task, admitted: boolean) => Promise<void>;
}

/** Takes entries from the command stream, or from the local bus: begins, repeats and cancels commands. */
export class Intake {
  private closed = false;

  constructor(private readonly options: IntakeOptions) {}

  receive(entry: ReceivedEntry): void {
    const plan = planEntry(entry, (id) => this.entriesOf(id));
    switch (plan.kind) {
      case "cancel":
        this.cancel(plan.id);
        return this.options.replies.forget(entry.id);
      case "ignore":
        return;
      case "follow":
        return this.follow(entry, plan);
      case "take":
        return this.take(entry.id, plan);
      default:
        return plan satisfies never;
    }
  }

  /** Takes no retries from now on: they stay in the stream, like unread entries. */
  close(): void {
    this.closed = true;
  }

  private entriesOf(id: CommandId): EntriesInFlight | undefined {
    const command = this.options.places.inFlight.get(id);
    return command && { entry: command.task.entry, following: command.following?.id };
  }

  private take(entry: string, { envelope, effect }: { envelope: Envelope | OpenEnvelope; effect: Effect }): void {
    const { places, ageOf, work } = this.options;
    const end = new AbortScope();
    const facts = findFacts(envelope.platform, envelope.command);
    const task = new Task({ entry, ageMs: () => ageOf(entry), envelope, facts, left: end, effect });
    // A command that may have begun elsewhere is never refused: a refusal says that nothing has begun.
    const release = places.take(envelope.session, effect === "none");
    const done = work(task, release !== undefined).then(() => {
      release?.();
      this.ended(envelope.id);
    });
    places.inFlight.add({ task, end, done, following: undefined });
  }

  /** Runs the retry after this run: the reply may have gone out before the router sent the retry, which needs a reply of its own. */
  private follow(entry: ReceivedEntry, { id, instead }: { id: CommandId; instead: string | undefined }): void {
    const { places, replies } = this.options;
    const command = places.inFlight.get(id);
    if (instead !== undefined) replies.forget(instead);
    if (command !== undefined) command.following = entry;
  }

  private ended(id: CommandId): void {
    const { inFlight } = this.options.places;
    const following = inFlight.get(id)?.following;
    inFlight.remove(id);
    if (following !== undefined && !this.closed) this.receive(following);
  }

  private cancel(id: string): void {
    const command = this.options.places.inFlight.get(id);
    if (command === undefined) return;
    const { task, following } = command;
    const plan = planCancel(task.facts?.class, task.effect);
    if (plan === "go-on") return;
    task.leaveCaller(plan === "drop");
    command.end.abort();
    if (following !== undefined) this.options.replies.forget(following.id);
    command.following = undefined;
  }
}
