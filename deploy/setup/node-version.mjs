import { SetupError } from "./step.mjs";

/** The lowest Node that every dependency names in its `engines`. */
const lowest = [20, 19];

export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  if (major > lowest[0] || (major === lowest[0] && minor >= lowest[1])) return;
  throw new SetupError(`Node ${lowest.join(".")} or newer is needed, this is ${version}.`);
}
