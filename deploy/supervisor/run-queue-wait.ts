import { readFileSync } from "node:fs";

/**
 * Milliseconds for which a process's main thread has waited for a processor in its life: it wanted to run, and others did. A stopped or a blocked one does not wait.
 * 0 where the system does not tell.
 */
export function runQueueWaitMs(pid: number): number {
  try {
    // Nanoseconds on a processor, nanoseconds waiting for one, turns.
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[1] ?? 0) / 1e6;
  } catch {
    return 0; // It ended, or this is not Linux.
  }
}
