import { fileURLToPath } from "node:url";

/** Kinds of processes, named by the folder of their main file. */
export type ProcessKind = "router" | "shard" | "deploy/all-in-one" | "test/sandbox";

/**
 * Chunks count as external memory, which triggers full garbage collections at a low limit beside a heap of 10 MB: that took half of a
 * router's CPU (bench/findings.md). This flag raises the limit to at least 128 MiB.
 */
const common = ["--enable-source-maps", "--initial-old-space-size=128"];

/**
 * A shard's objects for thousands of recipients outlive V8's usual 16 MiB of young space, and copying them takes over 100 ms
 * (bench/findings.md, "Young objects of a shard").
 */
const shard = [...common, "--max-semi-space-size=64"];

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
