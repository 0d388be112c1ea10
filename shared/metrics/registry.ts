import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export type MetricsRegistry = Registry;
export { Counter, Gauge, Histogram };

/** A registry with Node's own figures (event-loop lag, heap, descriptors) and the process's role as a label of all. */
export function createRegistry(role: "router" | "shard" | "supervisor", name: string): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ role, member: name });
  collectDefaultMetrics({ register: registry });
  return registry;
}
