import { Counter, Gauge, type MetricsRegistry } from "./registry.js";

/** A gauge whose figure is read when it is asked for. */
export function scrapedGauge(registry: MetricsRegistry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A counter over plain numbers, one for each value of its label, which are read when it is asked for. */
export function scrapedCounter(
  registry: MetricsRegistry,
  name: string,
  help: string,
  label: string,
  counts: Readonly<Record<string, number>>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(counts)) this.inc({ [label]: value }, count);
    },
  });
}
