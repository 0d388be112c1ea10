import { readdir, readFile } from "node:fs/promises";

/** What one process holds; bytes, and a count of descriptors. Heap and external memory only where the process tells its metrics. */
export interface ProcessMemory {
  readonly rssBytes: number;
  readonly descriptors: number;
  readonly heapBytes?: number;
  readonly externalBytes?: number;
}

const pageBytes = 4096;

/** Resident memory and open descriptors as Linux shows them. Rejects when the process has ended. */
export async function processMemory(pid: number): Promise<ProcessMemory> {
  const [statm, descriptors] = await Promise.all([readFile(`/proc/${pid}/statm`, "utf8"), readdir(`/proc/${pid}/fd`)]);
  return { rssBytes: Number(statm.split(" ")[1]) * pageBytes, descriptors: descriptors.length };
}
