import { CliError, exitCodes } from "./exit-code.js";
import { runCli } from "./run-cli.js";

const interrupted = new AbortController();
let interrupts = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    interrupts += 1;
    interrupted.abort(new CliError("interrupted", exitCodes.interrupted));
    // A second Ctrl-C exits at once.
    if (interrupts > 1) process.exit(exitCodes.interrupted);
  });
// `trunkline … | head`: the reader has enough, so a closed pipe is a success.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.failed));
process.stderr.on("error", () => undefined);

const { env: environment, stdin, stdout, stderr } = process;
process.exitCode = await runCli(process.argv.slice(2), { environment, stdin, stdout, stderr, signal: interrupted.signal });
