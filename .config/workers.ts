import { availableParallelism, totalmem } from "node:os";

/**
 * A system test runs a gateway of several processes, and fails on short deadlines when these starve. All other files run it in their own
 * process.
 */
const ofProcesses = { perProcessor: 2.5, bytes: 2 ** 30 };
const inProcess = { perProcessor: 5, bytes: 2 ** 29 };

/**
 * Returns how many files run at once. Most files mostly wait, so there are more workers than processors; workers use at most half of the
 * memory.
 */
export function workersFor(args: readonly string[]): number {
  const { perProcessor, bytes } = isWithoutSystem(args) ? inProcess : ofProcesses;
  return Math.max(2, Math.min(Math.floor(perProcessor * availableParallelism()), Math.floor(totalmem() / 2 / bytes), 16));
}

/** Returns true if vitest's arguments select only projects without system tests. */
function isWithoutSystem(args: readonly string[]): boolean {
  const projects = args.filter((_, i) => args[i - 1] === "--project");
  return projects.length > 0 && !projects.includes("system") && !projects.includes("conformance");
}
