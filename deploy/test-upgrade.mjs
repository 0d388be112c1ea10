import { setupOrExit } from "./setup.mjs";
import { formerBuild } from "./setup/former-build.mjs";
import { SetupError } from "./setup/step.mjs";
import { runVitest } from "./setup/run-vitest.mjs";

// `npm run test:upgrade -- <arguments of vitest>`: processes of a former version and of this one beside each other on one Redis, replaced one by one under load.
await setupOrExit();
try {
  process.env.FORMER_BUILD = await formerBuild();
  const given = process.argv.slice(2);
  runVitest(given.some((argument) => !argument.startsWith("-")) ? given : ["test/upgrade", ...given]);
} catch (error) {
  console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
  process.exitCode = 1;
}
