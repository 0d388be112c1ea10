import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { root, SetupError } from "./step.mjs";

/**
 * Throws if this Node is not in `engines` of package.json, such as `^20.19.0 || ^22.0.0`. Those versions have binaries of the HTTP engine
 * and suit every dependency.
 */
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

/** Throws if the HTTP engine's binary cannot be loaded, with the same sentence as a router that is started directly. */
export async function requireEngine() {
  const { requireHttpEngine } = await import(pathToFileURL(join(root, "dist/shared/process/http-engine.js")).href);
  try {
    requireHttpEngine();
  } catch (error) {
    throw new SetupError(error.message);
  }
}
