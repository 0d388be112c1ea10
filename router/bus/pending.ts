import type { Envelope, Outcome, Reply } from "../../shared/bus/envelope.js";
import type { CommandClass } from "../../shared/contract/commands.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { CompactMap } from "../../shared/flow/compact-map.js";

/** A command that waits for its outcome, over as many tries as it takes. What is final counts whichever try it answers, and whenever it comes. */
export class PendingCommand {
  /** Ownership under which it was last sent, unless that try was refused; another one means it must be sent again. */
  sentTo: { member: string; incarnation: string; token: SlotToken } | undefined;
  /** How many owners have had it. */
  owners = 1;
  /** A try that has no answer, or was cut, may have had its effect: from then on only the command's own outcome is the truth, and a refusal would be none. */
  begun = false;
  /** Its outcome, once there is one. */
  over: Outcome | undefined;
  private answered: (outcome: Outcome) => void = () => undefined;

  constructor(
    readonly envelope: Envelope,
    private readonly commandClass: CommandClass,
  ) {}

  /** It may be refused as if nobody had ever seen it. A read has no effect. */
  get refusable(): boolean {
    return this.commandClass === "read" || !this.begun;
  }

  /** Resolves with the outcome, or with `moved` when the try that comes is refused. */
  answer(): Promise<Outcome> {
    if (this.over !== undefined) return Promise.resolve(this.over);
    return new Promise((resolve) => {
      this.answered = resolve;
    });
  }

  /** `attempt`: which try it answers, absent from shards that do not tell. */
  settle(outcome: Outcome, attempt = this.envelope.attempt): void {
    if (this.over !== undefined) return;
    const refused = outcome.kind === "moved" || (outcome.kind === "error" && outcome.refused === true);
    if (outcome.kind === "moved") this.begun ||= outcome.begun === true;
    // A try that was refused after the next one had gone out: nothing is to be done.
    if (refused && attempt < this.envelope.attempt) return;
    if (outcome.kind !== "moved") this.over = outcome;
    this.answered(outcome);
  }
}

/** All commands of this router that wait for their outcome. Bounded by the admission limit of the command client. */
export class Pending {
  private readonly byId = new CompactMap<CommandId, PendingCommand>();

  get size(): number {
    return this.byId.size;
  }

  add(command: PendingCommand): void {
    this.byId.set(command.envelope.id, command);
  }

  remove(id: CommandId): void {
    this.byId.delete(id);
  }

  /** False for a reply that nobody waits for any more, or one that names another session (checklist S5). */
  resolve(reply: Reply): boolean {
    const command = this.byId.get(reply.id);
    if (command === undefined || command.envelope.session !== reply.session) return false;
    command.settle(reply.outcome, reply.attempt);
    return true;
  }

  all(): Iterable<PendingCommand> {
    return this.byId.values();
  }
}
