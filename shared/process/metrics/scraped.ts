import { Counter, Gauge, type MetricsRegistry } from "./registry.js";

/** Registers a gauge whose value is read at each scrape. */
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

/** Registers a counter over plain numbers, one for each label value, which are read at each scrape. */
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
