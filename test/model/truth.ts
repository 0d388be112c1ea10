import type { Outcome } from "../../shared/bus/envelope.js";
import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { sessionNotConnected } from "../../shared/contract/errors.js";
import type { World } from "./world.js";

/** Thrown when a promise of the cluster was broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}

interface CommandTruth {
  readonly commandClass: CommandClass;
  /** Claims of the runs whose beginning Redis has recorded. */
  readonly runs: Set<string>;
  /** How often the platform has performed the command. */
  effects: number;
  outcome: Outcome | undefined;
}

/** Records what really happened, which no process knows. Throws a `Violation` at the first broken promise. */
export class Truth {
  private readonly commands = new Map<CommandId, CommandTruth>();
  readonly counts = { commands: 0, effects: 0, repeats: 0, refused: 0, unknown: 0, expired: 0, ok: 0 };

  constructor(private readonly world: World) {}

  asked(id: CommandId, commandClass: CommandClass): void {
    this.commands.set(id, { commandClass, runs: new Set(), effects: 0, outcome: undefined });
    this.counts.commands += 1;
  }

  /** Records a write that Redis accepted under a slot's token. */
  written(what: string, slot: number, writer: number, owner: number): void {
    if (writer !== owner) this.fail(`process ${writer} wrote ${what} of slot ${slot}, which process ${owner} owns`);
  }

  beginning(id: CommandId, claim: string): void {
    const command = this.commands.get(id);
    if (command === undefined) return;
    if (command.runs.size > 0 && !command.runs.has(claim)) this.counts.repeats += 1;
    command.runs.add(claim);
  }

  /** Records a run that was rejected because another run had begun the command. */
  unknown(id: CommandId, claim: string): void {
    const command = this.commands.get(id);
    if (command !== undefined && [...command.runs].every((run) => run === claim))
      this.fail(`command ${id} was given up for an earlier try, and there was none: accepted and lost`);
  }

  /** Records that the platform received the command. The platform recognizes a repeated message by its id. */
  effect(id: CommandId, process: string): void {
    const command = this.commands.get(id);
    if (command === undefined) return;
    this.world.note("effect", id, process);
    command.effects += 1;
    this.counts.effects += 1;
    if (command.commandClass === "once" && command.effects > 1) this.fail(`command ${id} was executed twice`);
    if (isRefusal(command.outcome)) this.fail(`command ${id} was refused, and executed after that`);
    if (command.commandClass !== "read" && isNotSent(command.outcome))
      this.fail(`command ${id} was reported as not sent, and executed after that`);
  }

  answered(id: CommandId, outcome: Outcome): void {
    const command = this.commands.get(id);
    if (command === undefined) return;
    command.outcome = outcome;
    this.count(outcome);
    this.world.note("answered", id, command.commandClass, outcome.kind, outcome.kind === "error" ? outcome.message : "");
    if (command.commandClass === "read") return;
    if (outcome.kind === "ok" && command.effects === 0) this.fail(`command ${id} was answered, and never executed: accepted and lost`);
    if (isRefusal(outcome) && command.effects > 0) this.fail(`command ${id} was refused after it had been executed`);
    if (isNotSent(outcome) && command.effects > 0) this.fail(`command ${id} was reported as not sent after it had been executed`);
  }

  /** Forgets the commands of earlier rounds. */
  forget(): void {
    this.commands.clear();
  }

  fail(what: string): never {
    this.world.violation ??= new Violation(what);
    throw this.world.violation;
  }

  private count(outcome: Outcome): void {
    if (outcome.kind === "ok") this.counts.ok += 1;
    else if (isRefusal(outcome)) this.counts.refused += 1;
    else if (outcome.kind === "error") this.counts.unknown += 1;
    else this.counts.expired += 1;
  }
}

/** The outcome says that the session had no connection to send with. */
function isNotSent(outcome: Outcome | undefined): boolean {
  return outcome?.kind === "error" && outcome.message === sessionNotConnected().message;
}

/** The outcome says that nothing was done, so the caller may retry. */
function isRefusal(outcome: Outcome | undefined): boolean {
  return outcome?.kind === "error" && outcome.status === 503;
}
