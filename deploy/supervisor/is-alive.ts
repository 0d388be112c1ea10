import { readFileSync } from "node:fs";

/** Whether a process runs. One that has ended and that nobody has waited for (state Z) still has its id, but its sockets are closed. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // ENOENT: it is gone since, or there is no /proc on this system and the signal's word counts.
    return code !== "ESRCH" && !(code === "ENOENT" && process.platform === "linux");
  }
}
