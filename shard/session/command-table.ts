import type { ApiError } from "../../shared/contract/api-error.js";
import type { CommandCall } from "./command.js";
import type { RefusalKind } from "./refusal.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { CommandHead } from "../../shared/bus/envelope.js";

/** A command as the server runs it. The compiler has checked it against its row of the contract (see `Commands`). */
export interface RunnableCommand {
  accepts: (input: unknown) => boolean;
  run: (session: never, input: never, call: CommandCall) => Promise<unknown>;
  /** Set if this process cannot run the command for any session. */
  refusal?: () => ApiError;
}
export type CommandTable = Readonly<Record<string, RunnableCommand>>;
/** The part of a platform that the bus uses. */
interface CommandsOfPlatform {
  readonly commands: CommandTable;
  /** Returns what the platform meant by the error that a command ended with, or `undefined` if the platform refused nothing. */
  refusalOf(error: unknown): RefusalKind | undefined;
}

export type CommandTables = Readonly<Record<Platform, CommandsOfPlatform>>;

export function commandOf(
  platforms: CommandTables,
  { platform, command }: Pick<CommandHead, "platform" | "command">,
): RunnableCommand | undefined {
  const { commands } = platforms[platform];
  return Object.hasOwn(commands, command) ? commands[command] : undefined;
}
