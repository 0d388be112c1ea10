import { setupOrExit } from "../setup.mjs";
import { lastRelease } from "../setup/last-release.mjs";
import { SetupError } from "../setup/step.mjs";
import { runVitest } from "../setup/run-vitest.mjs";

// `npm run test:upgrade -- <arguments of vitest>`: tests this version on data that the last release stored.
await setupOrExit();
try {
  process.env.LAST_RELEASE = await lastRelease();
  const given = process.argv.slice(2);
  runVitest(given.some((argument) => !argument.startsWith("-")) ? given : ["test/upgrade", ...given]);
} catch (error) {
  console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
  process.exitCode = 1;
}
