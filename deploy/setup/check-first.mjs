import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { wantedBuild } from "./compile.mjs";
import { root } from "./step.mjs";

/** Compiled check of an existing build. Without a build, nothing from this checkout can be running. */
const script = join(root, "dist/deploy/supervisor/check-first.js");

/**
 * Ends a start if a gateway already runs on the same data: the setup would replace dist/, and restarted processes would run another build
 * than the rest. If the folder's path is too long for a socket, the supervisor checks it.
 */
export function leaveIfOneRuns() {
  const dataDir = resolve(process.env.DATA_DIR || ".data");
  if (!existsSync(script) || !existsSync(join(dataDir, "supervisor.sock"))) return;
  const { stdout } = spawnSync(process.execPath, [script, dataDir, wantedBuild().wanted], { encoding: "utf8", timeout: 10_000 });
  if (stdout.trim() === "") return;
  console.error(`trunkline: ${stdout.trim()}`);
  process.exit(1);
}
