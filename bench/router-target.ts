import type { Gateway } from "../test/harness/gateway.js";
import { metricOf, scrape } from "./metrics.js";
import type { Target } from "./target.js";

/** Returns the gateway's first router as a target. */
export function routerTarget(gateway: Gateway): Target {
  return {
    name: "Trunkline",
    origin: new URL(gateway.telegram[0] ?? "").origin,
    cpuSeconds: () => readMetric(gateway, "process_cpu_seconds_total"),
  };
}

/** Returns a metric of the first router, summed over the series whose labels contain `label`. */
export async function readMetric(gateway: Gateway, name: string, label = ""): Promise<number> {
  return metricOf(await scrape(gateway.adminPorts[0] ?? 0), name, label);
}
