import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum number of failed files that run again. If more fail, the machine is not the cause. */
export const mostAgain = 3;

/** Returns the files of a run's report, its uncaught errors and its exit code. A run without a report has no files and counts as failed. */
export function readRun(folder, name) {
  const path = join(folder, name);
  if (!existsSync(`${path}.json`)) return { name, reported: false, exit: 1, files: [], unhandled: [] };
  const report = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  return { name, reported: true, exit: Number(readFileSync(`${path}.exit`, "utf8")), ...report };
}
