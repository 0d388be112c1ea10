import type { Gateway } from "../test/harness/gateway.js";
import type { Target } from "./target.js";

/** The gateway's first router as a target. */
export function routerTarget(gateway: Gateway): Target {
  return { name: "Trunkline", origin: new URL(gateway.telegram[0] ?? "").origin, cpuSeconds: () => readMetric(gateway, "process_cpu_seconds_total") };
}

/** A metric of the first router, summed over its series whose labels contain `label`. */
export async function readMetric(gateway: Gateway, name: string, label = ""): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${gateway.adminPorts[0] ?? 0}/metrics`, { signal: AbortSignal.timeout(10_000) });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
