import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Failed files that run once more. Where more fail, the machine is not to blame. */
export const mostAgain = 3;

/** What a run left: the files of its report, what nobody caught, and its exit code. A run that left no report has none, and ended badly. */
export function readRun(folder, name) {
  const path = join(folder, name);
  if (!existsSync(`${path}.json`)) return { name, reported: false, exit: 1, files: [], unhandled: [] };
  const report = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  return { name, reported: true, exit: Number(readFileSync(`${path}.exit`, "utf8")), ...report };
}
