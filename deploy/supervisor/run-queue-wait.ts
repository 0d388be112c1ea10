import { readFileSync } from "node:fs";

/**
 * Returns the milliseconds that the main thread of a process has waited for a processor. A stopped or blocked thread does not wait. 0 if
 * the system does not report it.
 */
export function runQueueWaitMs(pid: number): number {
  try {
    // Fields: nanoseconds running, nanoseconds waiting, number of turns.
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[1] ?? 0) / 1e6;
  } catch {
    return 0; // The process has ended, or this is not Linux.
  }
}
