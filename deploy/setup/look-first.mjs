import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { wantedBuild } from "./compile.mjs";
import { root } from "./step.mjs";

/** Of the build that is there. Before the first one nothing of this checkout runs. */
const look = join(root, "dist/deploy/supervisor/look-first.js");

/**
 * Ends a start beside a gateway that runs on the same data before anything is made: the set-up would exchange dist/ under its processes, and those that are started again
 * would be of another build than the rest. Where the folder's name is too long for a socket, only the supervisor itself finds the other one.
 */
export function leaveIfOneRuns() {
  const dataDir = resolve(process.env.DATA_DIR || ".data");
  if (!existsSync(look) || !existsSync(join(dataDir, "supervisor.sock"))) return;
  const { stdout } = spawnSync(process.execPath, [look, dataDir, wantedBuild().wanted], { encoding: "utf8", timeout: 10_000 });
  if (stdout.trim() === "") return;
  console.error(`trunkline: ${stdout.trim()}`);
  process.exit(1);
}
