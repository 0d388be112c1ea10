import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setupOrExit } from "./setup.mjs";
import { debianRoot, inDebianRoot, requireDebianRoot } from "./setup/debian-root.mjs";
import { SetupError } from "./setup/step.mjs";

// `npm run test:node24 -- <arguments of vitest>`: the tests from outside, on the Node and the Debian of the image, whatever this machine has. The build and the
// packages are those of the checkout: no binary in them is bound to one Node but the HTTP engine's, which has one for each.
const suites = ["test/conformance", "test/contract", "test/platform", "test/journey", "test/cluster/media-aborts.test.ts"];

try {
  requireDebianRoot();
  await setupOrExit({ further: ["mmdebstrap"] });
  const given = process.argv.slice(2);
  const arguments_ = given.some((argument) => !argument.startsWith("-")) ? given : [...suites, ...given];
  const vitest = ["node", "node_modules/vitest/vitest.mjs", "run", "-c", ".config/vitest.config.ts", ...arguments_];
  const [command, args] = inDebianRoot(await debianRoot(), vitest, process.env.CI ? { CI: process.env.CI } : {});
  const child = spawn(command, args, { stdio: "inherit" });
  // Ctrl-C reaches vitest from the terminal: here it is only outlived, so that vitest can end what its tests have started.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("error", (error) => {
    console.error(`the tests on Node 24 could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)));
} catch (error) {
  console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
  process.exitCode = 1;
}
