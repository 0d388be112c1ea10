import { availableParallelism, totalmem } from "node:os";

/**
 * Files run side by side, whatever they are: most of them mostly wait, for platforms, leases and pauses, and others use the processors meanwhile. So there are more
 * workers than processors. Half of the memory is shared out by what the gateway of each takes; past 16 workers the longest file is what lasts.
 */
export function workersFor(args: readonly string[]): number {
  const { perProcessor, bytes } = isWithoutSystem(args) ? inProcess : ofProcesses;
  return Math.max(2, Math.min(perProcessor * availableParallelism(), Math.floor(totalmem() / 2 / bytes), 16));
}

/** How many of the workers begin their files at once: the others wait for room (`wait-for-room.ts`). */
export function steadyWorkersFor(args: readonly string[]): number {
  return isWithoutSystem(args) ? workersFor(args) : Math.ceil((2 / 3) * workersFor(args));
}

/** Where a worker reads `steadyWorkersFor`. */
export const steadyWorkersVariable = "TEST_STEADY_WORKERS";

/** Whose turn a worker is among those that wait for room before each file, from 1; 0 for one that does not. */
export function waitsForRoom(env: NodeJS.ProcessEnv): number {
  return Math.max(0, Number(env["VITEST_POOL_ID"]) - Number(env[steadyWorkersVariable]));
}

/**
 * The gateway of a system test is a handful of processes, and what it does to them is over sooner when they are not starved: with three at once per processor, tests that pass alone failed on slow machines,
 * while with two a quick one stood idle for a third of the time. With four, two of which wait for room, no time was left over, and a test failed that has three seconds for what takes one.
 */
const ofProcesses = { perProcessor: 3, bytes: 2 ** 30 };
/** Unit and contract files have theirs, if any, in their own process. In the first minute of `npm run test:fast` most of them wait: with three per processor half of it stood idle. */
const inProcess = { perProcessor: 5, bytes: 2 ** 29 };

/** By vitest's arguments: the projects that were chosen. */
function isWithoutSystem(args: readonly string[]): boolean {
  const projects = args.filter((_, i) => args[i - 1] === "--project");
  return projects.length > 0 && !projects.includes("system") && !projects.includes("conformance");
}
