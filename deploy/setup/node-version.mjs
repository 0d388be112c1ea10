import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { root, SetupError } from "./step.mjs";

/** The versions that `engines` of package.json names, as `^20.19.0 || ^22.0.0`: those for which the HTTP engine has binaries, from the lowest that every dependency takes. */
export function requireNode(version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [major, minor] = version.split(".").map(Number);
  const lowest = engines.node.split("||").map((range) => range.trim().slice(1).split(".").map(Number));
  if (lowest.some(([wanted, least]) => major === wanted && minor >= least)) return;
  const named = lowest.map(([wanted, least]) => (least === 0 ? `${wanted}` : `${wanted} (${wanted}.${least} or newer)`));
  throw new SetupError(
    `Node ${named.slice(0, -1).join(", ")} or ${named.at(-1)} is needed, this is ${version}. With nvm: nvm install 24; else see https://nodejs.org/en/download.`,
  );
}

/** The HTTP engine's binaries want more than a Node: asked of the build, in the words that a router started by hand has too. */
export async function requireEngine() {
  const { requireHttpEngine } = await import(pathToFileURL(join(root, "dist/shared/process/http-engine.js")).href);
  try {
    requireHttpEngine();
  } catch (error) {
    throw new SetupError(error.message);
  }
}
