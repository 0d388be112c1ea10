import { readFileSync } from "node:fs";
import { every } from "../../shared/flow/every.js";
import { isAlive } from "./is-alive.js";

const pollMs = 500;

/**
 * Calls `onGone` once when the npm that runs this process has ended. npm forwards a signal only to the shell in between, so `kill` on `npm
 * start` would leave everything running. Without npm nothing is watched.
 */
export function watchNpm(environment: NodeJS.ProcessEnv, onGone: () => void): void {
  if (environment["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const npm = findNpm(parent);
  const timer = every(pollMs, () => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    onGone();
  });
  timer.unref();
}

/** Finds the npm process (named `npm <script>`) among the parents: directly or above a shell. Undefined if there is no /proc. */
function findNpm(parent: number): number | undefined {
  for (let pid = parent, steps = 0; pid > 1 && steps < 3; steps += 1) {
    const [, name = "", above = "0"] = readStat(pid);
    if (name.startsWith("npm")) return pid;
    pid = Number(above);
  }
  return undefined;
}

/** Returns name and parent from `pid (name) state parent …`. */
function readStat(pid: number): readonly string[] {
  try {
    return /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
  } catch {
    return []; // The process has ended, or this is not Linux.
  }
}
