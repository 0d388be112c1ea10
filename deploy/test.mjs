import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setupOrExit } from "./setup.mjs";
import { root } from "./setup/step.mjs";
import { testPrograms } from "./setup/test-programs.mjs";

// `npm test -- <arguments of vitest>`; promtool checks the Prometheus rules, chromium shows the console.
const args = process.argv.slice(2);
await setupOrExit({ further: testPrograms(args) });
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
