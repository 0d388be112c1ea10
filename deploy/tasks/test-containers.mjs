import { setupOrExit } from "../setup.mjs";
import { containerBases, requireContainers } from "../setup/container-bases.mjs";
import { runVitest } from "../setup/run-vitest.mjs";
import { SetupError } from "../setup/step.mjs";

// `npm run test:containers -- <arguments of vitest>`: builds both images on a Docker engine, and runs compose.yaml and
// compose.sandbox.yaml with them.
try {
  requireContainers();
  await setupOrExit({ further: ["mmdebstrap"] });
  const { node, redis } = await containerBases();
  Object.assign(process.env, { CONTAINER_NODE_IMAGE: node, CONTAINER_REDIS_IMAGE: redis });
  const given = process.argv.slice(2);
  runVitest(given.some((argument) => !argument.startsWith("-")) ? given : ["test/containers", ...given]);
} catch (error) {
  console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
  process.exitCode = 1;
}
