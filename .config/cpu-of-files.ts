import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** CPU of the worker, and of all exited processes that the file started. */
    cpuSeconds?: number;
  }
}
declare global {
  /** CPU of the worker when its last file ended; later use belongs to the next file. */
  var cpuSecondsBefore: number | undefined;
}

/** Clock ticks of `/proc`, on every Linux that runs Node. */
const ticksPerSecond = 100;

function cpuSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // User and system time of this process, then of its reaped children. The name in front may contain any character.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

afterAll(({}, file) => {
  const now = cpuSeconds();
  file.meta.cpuSeconds = now - (globalThis.cpuSecondsBefore ?? 0);
  globalThis.cpuSecondsBefore = now;
});
