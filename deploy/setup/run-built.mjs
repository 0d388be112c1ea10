import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setupOrExit } from "../setup.mjs";
import { root } from "./step.mjs";

/**
 * Updates the build, then runs a file of it with this process's arguments and exits with its code. `what` is its name in errors; `further`
 * lists programs that it needs.
 */
export async function runBuilt(file, what, further = []) {
  await setupOrExit({ further });
  const child = spawn(process.execPath, ["--enable-source-maps", join(root, "dist", file), ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to the child too. This process ignores the signal, so that the child can stop everything in order.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("error", (error) => {
    console.error(`${what} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
}
