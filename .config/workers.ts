import { availableParallelism, totalmem } from "node:os";

/**
 * Files run side by side, whatever they are: most of them mostly wait, for platforms, leases and pauses, and others use the processors meanwhile. So there are more
 * workers than processors. Half of the memory is shared out by what the gateway of each takes; past 16 workers the longest file is what lasts.
 */
export function workersFor(args: readonly string[]): number {
  const { perProcessor, bytes } = isWithoutSystem(args) ? inProcess : ofProcesses;
  return Math.max(2, Math.min(perProcessor * availableParallelism(), Math.floor(totalmem() / 2 / bytes), 16));
}

/** The gateway of a system test is a handful of processes, and what it does to them is over sooner when they are not starved: with three per processor, tests that pass alone failed on slow machines. */
const ofProcesses = { perProcessor: 2, bytes: 2 ** 30 };
/** Unit and contract files have theirs, if any, in their own process. In the first minute of `npm run test:fast` most of them wait: with three per processor half of it stood idle. */
const inProcess = { perProcessor: 5, bytes: 2 ** 29 };

/** By vitest's arguments: the projects that were chosen. */
function isWithoutSystem(args: readonly string[]): boolean {
  const projects = args.filter((_, i) => args[i - 1] === "--project");
  return projects.length > 0 && !projects.includes("system") && !projects.includes("conformance");
}
