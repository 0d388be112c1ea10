import { readFileSync } from "node:fs";

/** Returns whether a process runs. An exited process that was not reaped (state Z) still has its id, but its sockets are closed. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // ENOENT: the process has exited since, or this system has no /proc and the signal decides.
    return code !== "ESRCH" && !(code === "ENOENT" && process.platform === "linux");
  }
}
