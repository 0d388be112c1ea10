import { readFileSync } from "node:fs";
import { every } from "../../shared/flow/every.js";
import { isAlive } from "./is-alive.js";

const pollMs = 500;

/**
 * Calls `onGone` once when the npm that runs us has ended. npm passes a signal on to the shell between it and us, which dies of it without a word to us: without
 * this, `kill` on `npm start` would leave everything running. Without npm nothing is watched: a supervisor may outlive the shell that started it.
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

/** npm calls itself `npm <script>`; it is our parent or, with a shell in between, our parent's. Undefined where there is no /proc. */
function findNpm(parent: number): number | undefined {
  for (let pid = parent, steps = 0; pid > 1 && steps < 3; steps += 1) {
    const [, name = "", above = "0"] = readStat(pid);
    if (name.startsWith("npm")) return pid;
    pid = Number(above);
  }
  return undefined;
}

/** `pid (name) state parent …` */
function readStat(pid: number): readonly string[] {
  try {
    return /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
  } catch {
    return []; // It ended, or this is not Linux.
  }
}
