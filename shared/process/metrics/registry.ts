import { getHeapStatistics } from "node:v8";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { linesSkipped } from "../../log/line-budget.js";
import { memoryLimit } from "../memory-limit.js";
import { spanCounts } from "../trace/span-counts.js";
import { strayRejections } from "../stray-rejections.js";

export type MetricsRegistry = Registry;
export { Counter, Gauge, Histogram };

/**
 * Intervals of the timer that measures the event loop. At 10 ms the timer takes 5 ms of CPU a second, most of what an idle supervisor uses,
 * and no alert watches a supervisor's event loop (bench/findings.md, "What wakes an idle process").
 */
const lagIntervalMs = { router: 10, shard: 10, supervisor: 100 } as const;

/**
 * Returns a registry with the metrics of the process, whose every metric is labelled with the role and name. `isOfProcess` is false for a
 * second role in one process: its metrics would count the process twice.
 */
export function createRegistry(role: "router" | "shard" | "supervisor", name: string, isOfProcess = true): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ role, member: name });
  if (isOfProcess) addProcessMetrics(registry, lagIntervalMs[role]);
  return registry;
}

/** Adds Node's metrics (event-loop lag, heap, descriptors), limits and counts that the whole process shares. */
function addProcessMetrics(registry: MetricsRegistry, lagMs: number): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagMs });
  const registers = [registry];
  new Gauge({
    name: "gateway_process_memory_limit_bytes",
    help: "Memory limit of the container, or memory of the host without one",
    registers,
  }).set(memoryLimit());
  new Gauge({
    name: "gateway_process_heap_limit_bytes",
    help: "Size of the JavaScript heap at which Node ends the process",
    registers,
  }).set(getHeapStatistics().heap_size_limit);
  new Counter({
    name: "gateway_process_log_lines_skipped_total",
    help: "Log lines of failed requests, failed webhook attempts and rejected Redis writes that a limit per second skipped",
    registers,
    collect() {
      this.reset();
      this.inc(linesSkipped());
    },
  });
  new Counter({
    name: "gateway_process_trace_spans_total",
    help: "Trace spans that ended, were exported to the OTLP endpoint, or failed to be exported",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(spanCounts)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: "gateway_process_stray_rejections_total",
    help: "Unhandled rejections and exceptions that the process survived",
    registers,
    collect() {
      this.reset();
      this.inc(strayRejections());
    },
  });
}
