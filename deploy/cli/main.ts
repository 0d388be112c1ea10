import { CommanderError } from "commander";
import { ConfigError } from "../../shared/config/env.js";
import { CliError, exitCodes, type ExitCode } from "./exit-code.js";
import { safe } from "./output/plain.js";
import { createProgram, exitCodeOfParser } from "./program.js";

const interrupted = new AbortController();
let interrupts = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    interrupts += 1;
    interrupted.abort(new CliError("interrupted", exitCodes.interrupted));
    // Whoever insists is not kept waiting.
    if (interrupts > 1) process.exit(exitCodes.interrupted);
  });
// `trunkline … | head`: who reads no more has what was wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.failed));
process.stderr.on("error", () => undefined);

process.exitCode = await run();

async function run(): Promise<ExitCode> {
  const { stdin, stdout, stderr } = process;
  const program = createProgram({ environment: process.env, stdin, stdout, stderr, signal: interrupted.signal });
  try {
    await program.parseAsync();
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfParser(error);
    if (interrupted.signal.aborted) return exitCodes.interrupted;
    return told(error);
  }
}

function told(error: unknown): ExitCode {
  const [sentence, code] = sentenceOf(error);
  console.error(safe(`trunkline: ${sentence}`));
  return code;
}

function sentenceOf(error: unknown): [sentence: string, code: ExitCode] {
  if (error instanceof CliError) return [error.message, error.exitCode];
  if (error instanceof ConfigError) return [error.message, exitCodes.usage];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error), exitCodes.failed];
}
