import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setupOrExit } from "../setup.mjs";
import { debianRoot, inDebianRoot, requireDebianRoot } from "./debian-root.mjs";
import { SetupError } from "./step.mjs";

/** Prepares a Debian 13 for tests and calls `use` with its folder. The result becomes the exit code of this process. */
export async function inDebian(use) {
  try {
    requireDebianRoot();
    await setupOrExit({ further: ["mmdebstrap"] });
    process.exitCode = await use(await debianRoot());
  } catch (error) {
    console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Runs vitest in that Debian with its own Node, on the checkout's build and packages. Resolves with its exit code. */
export function vitestIn(inside, args, environment = {}) {
  const vitest = ["node", "node_modules/vitest/vitest.mjs", "run", "-c", ".config/vitest.config.ts", ...args];
  const [command, all] = inDebianRoot(inside, vitest, { ...(process.env.CI ? { CI: process.env.CI } : {}), ...environment });
  const child = spawn(command, all, { stdio: "inherit" });
  // The terminal sends Ctrl-C to vitest too. This process ignores the signal, so that vitest can stop what its tests started.
  const outlive = () => {};
  const end = () => child.kill("SIGTERM");
  process.on("SIGINT", outlive);
  process.on("SIGTERM", end);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new SetupError(`the tests in a Debian 13 could not be started: ${error.message}`)));
    child.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  }).finally(() => {
    process.off("SIGINT", outlive);
    process.off("SIGTERM", end);
  });
}
