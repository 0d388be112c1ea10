import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";

/** Stops a shard as a deployment does; the supervisor starts it again. Resolves with the time at which the new process existed. */
export async function restartShard(gateway: Gateway, name: string): Promise<number> {
  const before = await gateway.shardPid(name);
  process.kill(before, "SIGTERM");
  await eventually(`another process of ${name}`, async () => (await gateway.shardPid(name)) !== before, restartMs);
  return performance.now();
}

/** A drain has 45 s, and a start may wait for the lease of the old process. */
const restartMs = 90_000;
