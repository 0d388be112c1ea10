import { writeFileSync } from "node:fs";
import { Piscina } from "piscina";
import { onParentGone } from "../../../shared/process/parent-gone.js";
import type { RenderReply, RenderRequest, RenderResult } from "./render-task.js";

/**
 * The process that the shard forks to decode untrusted pictures: when libvips crashes or runs out of memory, this process ends and not
 * thousands of sockets. A worker's `resourceLimits` bound only the JS heap.
 */
const threads = Number(process.argv[2] ?? 1);

const pool = new Piscina<unknown, RenderResult>({
  filename: new URL("image-worker.js", import.meta.url).href,
  minThreads: 1,
  maxThreads: threads,
  maxQueue: 4 * threads,
  concurrentTasksPerWorker: 1,
  idleTimeout: 30_000,
  recordTiming: true,
  resourceLimits: { maxOldGenerationSizeMb: 256 },
});

preferAsVictim();
process.on("message", (request: RenderRequest) => void serve(request));
onParentGone(() => process.exit(0));

// A signal to the process group must not end the work of a shard that is still finishing its commands. The shard ends this process.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);

reply({ kind: "ready" });

async function serve({ id, task }: RenderRequest): Promise<void> {
  let result: RenderResult;
  try {
    result = await pool.run(task);
  } catch (error) {
    // The thread itself has ended (its heap limit, a native abort) or the queue is full. Tasks report their own faults.
    const reason = error instanceof Error ? error.message : String(error);
    result = { ok: false, fault: /queue/i.test(reason) ? "render queue is full" : "worker exited", reason };
  }
  reply({ kind: "result", id, result });
}

function reply(message: RenderReply): void {
  // Sending to a parent that has gone would fail, and that ends this process.
  if (process.connected) process.send?.(message);
}

/** If the host runs out of memory, it kills this process before the shard, which can start another. Only Linux has the file. */
function preferAsVictim(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "500");
  } catch {
    // Not Linux, or not allowed: the kernel then chooses by its own rules.
  }
}
