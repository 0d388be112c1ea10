import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 collect an idle heap as usual once the process has run for a while. By default, Node.js 24 and later shrink it. That frees memory
 * of the start, but stops later requests for up to 0.2 s (bench/findings.md, "An idle heap on Node.js 24").
 */
export function keepIdleHeap(afterMs = startMs): void {
  if (Number.parseInt(process.versions.node, 10) < firstVersion) return;
  setTimeout(() => setFlagsFromString("--no-memory-reducer-favors-memory"), afterMs).unref();
}

/** V8 shrinks the heap when a process has had little to do for 8 s, and once more soon after. */
const startMs = 30_000;
/** Earlier versions of Node.js do not know the flag, and print that. */
const firstVersion = 24;
