import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeApiReference } from "./api-reference.mjs";
import { bundleProcesses } from "./bundle.mjs";
import { writeSettingsReaders } from "./bundle-settings.mjs";
import { bundleConsole } from "./console.mjs";
import { filesBelow, fingerprint, readStamp } from "./fingerprint.mjs";
import { holdsFiles, keepFiles } from "./made-files.mjs";
import { root, run, step } from "./step.mjs";

const stamp = "dist/.setup-stamp";

/** The compiler skips the browser's code, which `console.mjs` bundles. */
const forBrowsers = "router/console/app/";

/** Folders with data files that code reads at run time (Lua scripts, certificates, samples). Other compiled folders have none. */
const dataFolders = ["router", "shard", "shared", "test/harness"];

/**
 * Builds dist/ if a source changed or a file of it is missing. Always builds everything, because validators depend on types of other
 * files. The build replaces dist/ only when complete, so running processes never see half of it.
 */
export async function compile() {
  const { wanted, data } = wantedBuild();
  // A manual build (`tspc -p .`) leaves its own record in dist/ and invalidates the stamp.
  if (readStamp(stamp) !== wanted || existsSync(join(root, "dist/.tsbuildinfo")) || !holdsFiles(join(root, "dist")))
    await step("compiling", "compiled", () => build(data, wanted), " (takes 1-2 min the first time)");
  await bundleConsole();
  await writeApiReference();
}

/** Returns the fingerprint of the sources of dist/, and the data files to copy. */
export function wantedBuild() {
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const sources = filesBelow(include).filter((path) => path.endsWith(".ts") && !path.startsWith(forBrowsers));
  const data = filesBelow(dataFolders).filter((path) => !/\.(ts|md)$/.test(path) && !path.startsWith(forBrowsers));
  const bundling = ["bundle", "bundle-settings", "line-map", "made-files"].map((name) => `deploy/setup/${name}.mjs`);
  const own = ["tsconfig.json", "package-lock.json", ...bundling];
  return { wanted: fingerprint([...own, ...sources, ...data]), data };
}

async function build(data, wanted) {
  const [fresh, previous, dist] = ["dist.new", "dist.old", "dist"].map((name) => join(root, name));
  rmSync(fresh, { recursive: true, force: true });
  try {
    await run(process.execPath, [
      "node_modules/ts-patch/bin/tspc.js",
      "-p",
      "tsconfig.json",
      "--outDir",
      "dist.new",
      "--incremental",
      "false",
      "--tsBuildInfoFile",
      "null",
      "--pretty",
      "false",
    ]);
    for (const path of data) {
      mkdirSync(dirname(join(fresh, path)), { recursive: true });
      copyFileSync(join(root, path), join(fresh, path));
    }
    await bundleProcesses(fresh);
    await writeSettingsReaders();
    keepFiles(fresh);
    writeFileSync(join(fresh, ".setup-stamp"), wanted);
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(dist)) moveAway(dist, previous);
    renameSync(fresh, dist);
  } finally {
    for (const folder of [fresh, previous]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Removes the folder if it cannot be renamed: an overlay file system (a container's) cannot rename a folder of a lower layer. No process
 * uses that folder while an image is built.
 */
function moveAway(folder, target) {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (error.code !== "EXDEV") throw error;
    rmSync(folder, { recursive: true });
  }
}
