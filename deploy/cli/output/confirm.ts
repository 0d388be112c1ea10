import { createInterface } from "node:readline/promises";
import type { Cli } from "../cli.js";
import { CliError, usageError } from "../exit-code.js";

/** Asks the person at the terminal; where there is none, `--yes` has to say it. */
export async function confirmed(cli: Cli, question: string): Promise<void> {
  const { stdin } = cli.surroundings;
  if (!stdin.isTTY) throw usageError(`${question} Say --yes.`);
  const lines = createInterface({ input: stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: cli.signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError("nothing was changed");
  } finally {
    lines.close();
  }
}
