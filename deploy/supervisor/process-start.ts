import { fileURLToPath } from "node:url";
import { memoryLimit } from "../../shared/process/memory-limit.js";

/** Kinds of processes, named by the folder of their main file. */
export type ProcessKind = "router" | "shard" | "deploy/all-in-one" | "test/sandbox";

/**
 * Chunks count as external memory, which triggers full garbage collections at a low limit beside a heap of 10 MB: that took half of a
 * router's CPU (bench/findings.md). This flag raises the limit to at least 128 MiB.
 */
const common = ["--enable-source-maps", "--initial-old-space-size=128"];

/**
 * Returns the MiB of a shard's semi-spaces: a 1024th of the machine's memory, from V8's default of 16 to 64. Larger ones copy the objects
 * for thousands of recipients less often, but take twice their size from every host (bench/findings.md, "Young objects of a shard").
 */
export function semiSpaceMiB(memoryBytes: number): 16 | 32 | 64 {
  const share = memoryBytes / 1024 ** 3;
  return share >= 64 ? 64 : share >= 32 ? 32 : 16;
}

const shard = [...common, `--max-semi-space-size=${semiSpaceMiB(memoryLimit())}`];

/** Node.js arguments per kind of process. */
export const nodeArguments: Readonly<Record<ProcessKind, readonly string[]>> = {
  router: common,
  shard,
  "deploy/all-in-one": shard,
  "test/sandbox": common,
};

/** Returns the absolute path of the compiled main file and the Node.js arguments. */
export function processStart(kind: ProcessKind): { entry: string; nodeArguments: readonly string[] } {
  return { entry: fileURLToPath(new URL(`../../${kind}/main.js`, import.meta.url)), nodeArguments: nodeArguments[kind] };
}
