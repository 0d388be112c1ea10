import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root } from "./step.mjs";

/** vitest with these arguments; the exit code becomes the process'. */
export function runVitest(args) {
  const vitest = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "-c", ".config/vitest.config.ts", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  // Ctrl-C reaches vitest from the terminal: here it is only outlived, so that vitest can end what its tests have started.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => vitest.kill("SIGTERM"));
  vitest.once("error", (error) => {
    console.error(`vitest could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  vitest.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
}
