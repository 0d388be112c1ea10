import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Of the worker and of all processes that the file started and that have ended. */
    cpuSeconds?: number;
  }
}
declare global {
  /** How much the worker had used when its last file ended: what came since is the next file's. */
  var cpuSecondsBefore: number | undefined;
}

/** Clock ticks of `/proc`, on every Linux that runs Node. */
const ticksPerSecond = 100;

function cpuSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // User and system time of this process, then of its children that were waited for. The name before may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

afterAll(({}, file) => {
  const now = cpuSeconds();
  file.meta.cpuSeconds = now - (globalThis.cpuSecondsBefore ?? 0);
  globalThis.cpuSecondsBefore = now;
});
