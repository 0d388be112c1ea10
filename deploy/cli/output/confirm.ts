import { createInterface } from "node:readline/promises";
import type { Cli } from "../cli.js";
import { CliError, usageError } from "../exit-code.js";

/** Prompts at the terminal and rejects unless the reply is yes. Without a terminal, rejects and names `--yes`. */
export async function confirmed(cli: Cli, question: string, action: string): Promise<void> {
  const { stdin } = cli.surroundings;
  if (!stdin.isTTY) throw usageError(`use --yes to ${action} without a prompt`);
  const lines = createInterface({ input: stdin, output: process.stderr });
  try {
    const response = await lines.question(`${question} [y/N] `, { signal: cli.signal });
    if (!/^y(es)?$/i.test(response.trim())) throw new CliError("Cancelled.");
  } finally {
    lines.close();
  }
}
