import type { CommandFacts } from "../../shared/contract/command-row.js";
import { commandRows } from "../../shared/contract/commands.js";

/** Commands of the model: one per class, with the product's facts and shorter deadlines. */
const rows = {
  "list-groups": { ...commandRows.telegram["list-groups"], deadlineMs: 20_000 },
  "send-message": { ...commandRows.telegram["send-message"], deadlineMs: 60_000 },
  "post-status": { ...commandRows.telegram["post-status"], deadlineMs: 30_000 },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type ModelCommand = keyof typeof rows;

export const modelCommands: readonly ModelCommand[] = ["list-groups", "send-message", "post-status"];

export function factsOf(command: ModelCommand): CommandFacts {
  return rows[command];
}

export function isModelCommand(command: string): command is ModelCommand {
  return command in rows;
}
