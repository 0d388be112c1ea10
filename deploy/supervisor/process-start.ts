import { fileURLToPath } from "node:url";

/** What a supervisor starts, by the folder of its main file. */
export type ProcessKind = "router" | "shard" | "test/sandbox";

/**
 * Half a megabyte of every chunk is memory outside of the JavaScript heap, which counts against the limit at which all of the heap is searched for garbage: beside a heap
 * of 10 MB that limit is so low that every eighth chunk passed it, and half of a router's CPU went there (bench/findings.md). 128 MiB is the least limit then.
 */
const common = ["--enable-source-maps", "--initial-old-space-size=128"];

/**
 * Arguments of Node.js for each kind of process. What a shard makes of thousands of recipients lives longer than it takes to fill V8's usual 16 MiB for young objects, and is copied
 * again and again, for more than 100 ms at once; of 64 MiB more is garbage when they are full (bench/findings.md, "Young objects of a shard").
 */
export const nodeArguments: Readonly<Record<ProcessKind, readonly string[]>> = {
  router: common,
  shard: [...common, "--max-semi-space-size=64"],
  "test/sandbox": common,
};

/** The compiled main file (absolute path) of such a process, and Node.js's arguments for it. */
export function processStart(kind: ProcessKind): { entry: string; nodeArguments: readonly string[] } {
  return { entry: fileURLToPath(new URL(`../../${kind}/main.js`, import.meta.url)), nodeArguments: nodeArguments[kind] };
}
