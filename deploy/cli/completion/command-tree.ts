import type { Command } from "commander";

/** A command, as shell completion needs it. */
export interface CommandNode {
  /** Words after the program's name. */
  readonly path: readonly string[];
  readonly description: string;
  /** Long options, including the global ones. */
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly choices: readonly string[];
    readonly takesValue: boolean;
  }[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
}

/** Returns the program and all commands below it. */
export function commandTree(program: Command, path: readonly string[] = []): CommandNode[] {
  const own = [
    ...(path.length === 0 ? [] : program.options),
    ...rootOf(program).options,
    { long: "--help", description: "Show help", argChoices: undefined, required: false, optional: false },
  ];
  const node: CommandNode = {
    path,
    description: program.description(),
    options: own.flatMap(({ long, description, argChoices = [], required, optional }) =>
      long == null ? [] : [{ flag: long, description, choices: argChoices, takesValue: required || optional }],
    ),
    commands: program.commands.map((command) => ({ name: command.name(), description: command.description() })),
  };
  return [node, ...program.commands.flatMap((command) => commandTree(command, [...path, command.name()]))];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
