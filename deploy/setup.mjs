import { pathToFileURL } from "node:url";
import { requireEngine, requireNode } from "./setup/node-version.mjs";
import { installPackages } from "./setup/packages.mjs";
import { compile } from "./setup/compile.mjs";
import { requirePrograms } from "./setup/programs.mjs";
import { withLock } from "./setup/lock.mjs";
import { SetupError } from "./setup/step.mjs";

/**
 * Installs what a checkout lacks: packages, dist/, redis-server and ffmpeg. Needs only Node, and a second call is quick. `privateRedis:
 * false` skips redis-server, for a start with REDIS_URL; `further` names more programs.
 */
export async function setup({ privateRedis = true, further = [] } = {}) {
  requireNode();
  await withLock(async () => {
    await installPackages();
    await compile();
    await requireEngine();
    await requirePrograms([...(privateRedis ? ["redis-server"] : []), "ffmpeg", ...further]);
  });
}

/** Runs `setup` for a command line. A failure prints one sentence (or the failing tool's output) and exits with 1. */
export async function setupOrExit(options) {
  try {
    await setup(options);
  } catch (error) {
    console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
    process.exit(1);
  }
}

// `node deploy/setup.mjs bench` also installs the programs that benchmarks compare with.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await setupOrExit({ further: process.argv[2] === "bench" ? ["nginx"] : [] });
