import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setupOrExit } from "./setup.mjs";
import { root } from "./setup/step.mjs";

// `npm run bench -- <names of scenarios>`
await setupOrExit();
const bench = spawn(process.execPath, ["--enable-source-maps", join(root, "dist/bench/run.js"), ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
// Ctrl-C reaches it from the terminal: here it is only outlived, so that everything it has started is stopped in order.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => bench.kill("SIGTERM"));
bench.once("error", (error) => {
  console.error(`the benchmarks could not be started: ${error.message}`);
  process.exitCode = 1;
});
bench.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
