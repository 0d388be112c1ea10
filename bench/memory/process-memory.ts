import { readdir, readFile } from "node:fs/promises";

/** Memory of one process in bytes, and its number of descriptors. Heap and external memory are only known if the process serves metrics. */
export interface ProcessMemory {
  readonly rssBytes: number;
  readonly descriptors: number;
  readonly heapBytes?: number;
  readonly externalBytes?: number;
}

const pageBytes = 4096;

/** Returns resident memory and open descriptors as Linux reports them. Rejects when the process has ended. */
export async function processMemory(pid: number): Promise<ProcessMemory> {
  const [statm, descriptors] = await Promise.all([readFile(`/proc/${pid}/statm`, "utf8"), readdir(`/proc/${pid}/fd`)]);
  return { rssBytes: Number(statm.split(" ")[1]) * pageBytes, descriptors: descriptors.length };
}
