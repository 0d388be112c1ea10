import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint, readStamp } from "./fingerprint.mjs";
import { root, run, step } from "./step.mjs";

const stamp = "node_modules/.setup-stamp";

/** Runs `npm ci` if node_modules does not match package-lock.json. */
export async function installPackages() {
  // Native packages differ by platform, so a folder copied from another machine is not valid.
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifests = ["package.json", ...workspaces.map((folder) => `${folder}/package.json`)];
  const wanted = fingerprint([...manifests, "package-lock.json", ".npmrc"], process.platform, process.arch, process.versions.modules);
  const found = readStamp(stamp);
  if (found === wanted && isComplete()) return;
  if (found === undefined && agreesWithLock()) {
    writeFileSync(join(root, stamp), wanted);
    return;
  }
  await step("installing packages", "packages installed", () => run(...npm("ci", "--include=dev", "--no-audit", "--no-fund")));
  writeFileSync(join(root, stamp), wanted);
}

/** npm writes this file last, so the listed packages were unpacked; a folder can only have been removed since. */
function installed() {
  const file = join(root, "node_modules/.package-lock.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

function isComplete(packages = installed()) {
  return packages !== undefined && Object.keys(packages).every((path) => existsSync(join(root, path)));
}

/** Accepts node_modules of a manual `npm ci` before the first setup. */
function agreesWithLock() {
  const have = installed();
  if (!isComplete(have)) return false;
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  // Optional packages may be for other platforms.
  return Object.entries(lock).every(
    ([path, { integrity, optional }]) => path === "" || optional === true || have[path]?.integrity === integrity,
  );
}

/** Returns the npm command: the npm that runs this process, the one beside this Node, or the one on PATH. */
export function npm(...args) {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const script = [process.env.npm_execpath, beside].find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
  return script ? [process.execPath, [script, ...args]] : ["npm", args];
}
