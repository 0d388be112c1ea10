import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Runs vitest with these arguments and exits with its code. */
export function runVitest(args) {
  const vitest = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "-c", ".config/vitest.config.ts", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to vitest too. This process ignores the signal, so that vitest can stop what its tests started.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => vitest.kill("SIGTERM"));
  vitest.once("error", (error) => {
    console.error(`vitest could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  vitest.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
}
