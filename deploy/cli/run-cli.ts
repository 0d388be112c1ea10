import { CommanderError } from "commander";
import { ConfigError } from "../../shared/config/env.js";
import type { Surroundings } from "./cli.js";
import { CliError, exitCodes, type ExitCode } from "./exit-code.js";
import { safe } from "./output/plain.js";
import { createProgram, exitCodeOfParser } from "./program.js";

/** Runs one command line, without the program's name. Resolves with the exit code, after an error has been written to `stderr`. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfParser(error);
    if (surroundings.signal.aborted) return exitCodes.interrupted;
    const [sentence, code] = sentenceOf(error);
    surroundings.stderr.write(`${safe(`trunkline: ${sentence}`)}\n`);
    return code;
  }
}

function sentenceOf(error: unknown): [sentence: string, code: ExitCode] {
  if (error instanceof CliError) return [error.message, error.exitCode];
  if (error instanceof ConfigError) return [error.message, exitCodes.usage];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error), exitCodes.failed];
}
