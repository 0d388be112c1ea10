import { totalmem } from "node:os";

/** Returns the bytes that this process may use: the memory limit of its container, or the memory of the host without one. */
export function memoryLimit(host = totalmem(), constrained = process.constrainedMemory?.() ?? 0): number {
  // Node reports 0 or a number beyond all memory if nothing limits the process.
  return constrained > 0 ? Math.min(constrained, host) : host;
}
