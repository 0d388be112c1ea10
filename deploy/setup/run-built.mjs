import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setupOrExit } from "../setup.mjs";
import { root } from "./step.mjs";

/** Brings the build up to date, then runs a file of it with this process's arguments and ends as it ends. `what` names it in an error, `further` programs that it runs. */
export async function runBuilt(file, what, further = []) {
  await setupOrExit({ further });
  const child = spawn(process.execPath, ["--enable-source-maps", join(root, "dist", file), ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  // Ctrl-C reaches it from the terminal: here it is only outlived, so that everything it has started is stopped in order.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("error", (error) => {
    console.error(`${what} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
}
