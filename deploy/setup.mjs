import { pathToFileURL } from "node:url";
import { requireEngine, requireNode } from "./setup/node-version.mjs";
import { installPackages } from "./setup/packages.mjs";
import { compile } from "./setup/compile.mjs";
import { requirePrograms } from "./setup/programs.mjs";
import { withLock } from "./setup/lock.mjs";
import { SetupError } from "./setup/step.mjs";

/**
 * Brings a checkout to the point where it runs: packages, dist/, redis-server and ffmpeg. Needs Node alone, does only what is missing, and a second
 * call takes a moment. `privateRedis: false` leaves redis-server out, for a start with REDIS_URL; `further` names what else the caller runs.
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

/** `setup` for a command line: a failure is one sentence (or the failing tool's own words) and exit code 1. */
export async function setupOrExit(options) {
  try {
    await setup(options);
  } catch (error) {
    console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
    process.exit(1);
  }
}

// `node deploy/setup.mjs bench`: with the programs that benchmarks compare with.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await setupOrExit({ further: process.argv[2] === "bench" ? ["nginx"] : [] });
