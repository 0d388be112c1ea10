import type { Envelope, Reply } from "../../shared/bus/envelope.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";

/** A command that waits for its reply. */
export interface PendingCommand {
  readonly envelope: Envelope;
  /** Ownership under which it was last sent; another one means it must be sent again. */
  sentTo: { member: string; incarnation: string; token: SlotToken } | undefined;
  /** How many owners have had it. */
  owners: number;
  readonly settle: (reply: Reply["outcome"]) => void;
}

/** All commands of this router that wait for a reply. Bounded by the admission limit of the command client. */
export class Pending {
  private readonly byId = new Map<CommandId, PendingCommand>();

  get size(): number {
    return this.byId.size;
  }

  add(command: PendingCommand): void {
    this.byId.set(command.envelope.id, command);
  }

  remove(id: CommandId): void {
    this.byId.delete(id);
  }

  /** False once it has its outcome. */
  has(command: PendingCommand): boolean {
    return this.byId.get(command.envelope.id) === command;
  }

  /** False for a second reply, a late one, or one that names another session (checklist S5). */
  resolve(reply: Reply): boolean {
    const command = this.byId.get(reply.id);
    if (command === undefined || command.envelope.session !== reply.session) return false;
    command.settle(reply.outcome);
    return true;
  }

  all(): Iterable<PendingCommand> {
    return this.byId.values();
  }
}
