import { Histogram } from "prom-client";
import { expect, it } from "vitest";
import { createRegistry, type MetricsRegistry } from "../../../../../shared/process/metrics/registry.js";
import { TalliedHistogram } from "../../../../../shared/process/metrics/tallied-histogram.js";

const labels = [
  { route: "a", status: "200" },
  { route: "a", status: "404" },
  { route: "b", status: "200" },
] as const;
const buckets = [0.001, 0.01, 0.5, 2];
const seconds = [0, 0.001, 0.0011, 0.01, 0.3, 0.5, 1.9, 2, 2.1, 500];

const samplesOf = async (registry: MetricsRegistry): Promise<string[]> =>
  (await registry.metrics()).split("\n").filter((line) => line.includes("gateway_test_seconds"));

it("shows what prom-client's own histogram would", async () => {
  const config = { name: "gateway_test_seconds", help: "Seconds of x", labelNames: ["route", "status"] as const, buckets };
  const ours = createRegistry("router", "router-1");
  const theirs = createRegistry("router", "router-1");
  const tallied = new TalliedHistogram({ ...config, registers: [ours] });
  const tallies = labels.map((one) => tallied.tally(one));
  const own = new Histogram({ ...config, labelNames: [...config.labelNames], registers: [theirs] });
  for (let n = 0; n < 100; n++) {
    const which = n % labels.length;
    const value = seconds[n % seconds.length] ?? 0;
    tallies[which]?.observe(value);
    own.observe(labels[which] ?? {}, value);
  }
  const samples = await samplesOf(ours);
  expect(samples).toHaveLength(2 + labels.length * (buckets.length + 3));
  expect(samples.map(sorted)).toEqual((await samplesOf(theirs)).map(sorted));
});

it("observes under values of the labels as under a kept tally", async () => {
  const registry = createRegistry("router", "router-1");
  const config = { name: "gateway_test_seconds", help: "Seconds of x", labelNames: ["route", "status"] as const, buckets };
  const histogram = new TalliedHistogram({ ...config, registers: [registry] });
  histogram.observeAs(["a", "200"], 0.3);
  histogram.observeAs(["a", "404"], 1);
  histogram.observeAs(["a", "200"], 0.2);
  const samples = (await samplesOf(registry)).map(sorted);
  expect(samples).toContain('gateway_test_seconds_count{member="router-1",role="router",route="a",status="200"} 2');
  expect(samples).toContain('gateway_test_seconds_sum{member="router-1",role="router",route="a",status="404"} 1');
});

it("shows zeros for registered labels without observations", async () => {
  const registry = createRegistry("router", "router-1");
  new TalliedHistogram({ name: "gateway_test_seconds", help: "Seconds of x", labelNames: [], buckets, registers: [registry] }).tally({});
  expect(await samplesOf(registry)).toContain('gateway_test_seconds_count{role="router",member="router-1"} 0');
});

/** Sorts the labels, whose order does not matter. */
function sorted(line: string): string {
  return line.replace(/\{(.*)\}/, (_, text: string) => `{${text.split(",").sort().join(",")}}`);
}
