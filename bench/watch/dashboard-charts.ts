import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import typia from "typia";
import type { Chart, LineSeries } from "../chart/chart.js";
import type { PrometheusServer, Series } from "./prometheus-server.js";

/** Content of the pictures in deploy/docs/watch.md. */
export const pictures: readonly ChartRequest[] = [
  {
    dashboard: "media",
    panels: ["Time to the first byte", "Bytes to clients", "Chunks by source", "Fetch of one chunk", "Chunks read ahead"],
  },
  {
    dashboard: "cluster",
    panels: [
      "Slots by shard",
      "Sessions by state",
      "Deaths of shards",
      "Requests by status",
      "Command time, 99th percentile",
      "Event age at delivery",
      "Event loop lag",
    ],
  },
];

export interface ChartRequest {
  /** File of deploy/manifests/grafana/dashboards, without its extension. */
  readonly dashboard: "cluster" | "media";
  /** Titles of its panels, in drawing order. */
  readonly panels: readonly string[];
}

/** The repository's deploy/manifests/grafana/dashboards, from here and from dist/bench/watch. */
const dashboards = fileURLToPath(
  new URL(`${import.meta.url.endsWith(".ts") ? "../.." : "../../.."}/deploy/manifests/grafana/dashboards`, import.meta.url),
);

/** For each unit of a dashboard, the name on the axis and the divisor of its values. */
const units: Readonly<Record<string, { readonly name: string; readonly divisor: number }>> = {
  s: { name: "ms", divisor: 0.001 },
  Bps: { name: "MB/s", divisor: 1e6 },
  bytes: { name: "MB", divisor: 1e6 },
  percentunit: { name: "%", divisor: 0.01 },
  reqps: { name: "requests/s", divisor: 1 },
  ops: { name: "1/s", divisor: 1 },
  none: { name: "number", divisor: 1 },
};

/** Returns panels of a provisioned dashboard as charts. Runs their own queries on Prometheus for all routers and shards over a period. */
export async function dashboardCharts(
  prometheus: Pick<PrometheusServer, "range">,
  { dashboard, panels }: ChartRequest,
  fromSeconds: number,
  toSeconds: number,
  stepSeconds: number,
): Promise<Chart[]> {
  const file = join(dashboards, `${dashboard}.json`);
  const all = isDashboard(JSON.parse(await readFile(file, "utf8"))).panels;
  const charts: Chart[] = [];
  for (const title of panels) {
    const panel = all.find((one) => one.title === title && one.type === "timeseries");
    const unit = units[panel?.fieldConfig?.defaults.unit ?? ""];
    if (panel === undefined || unit === undefined) throw new Error(`no panel "${title}" with a known unit in ${dashboard}.json`);
    const series: LineSeries[] = [];
    for (const { expr, legendFormat = "" } of panel.targets ?? []) {
      // The value that Grafana would insert: four scrapes.
      const query = expr.replaceAll("$__rate_interval", "40s").replaceAll(/\$(router|shard)\b/g, ".+");
      for (const one of await prometheus.range(query, fromSeconds, toSeconds, stepSeconds))
        series.push({ name: legendOf(legendFormat, one), points: pointsOf(one, fromSeconds, toSeconds, stepSeconds, unit.divisor) });
    }
    // Series without any value are left out. If all series are empty, they are drawn as they are.
    const lively = series.filter(({ points }) => points.some(([, value]) => Number.isFinite(value) && value !== 0));
    if (series.length > 0) charts.push({ kind: "lines", title, unit: unit.name, x: "time", series: lively.length > 0 ? lively : series });
  }
  return charts;
}

function legendOf(format: string, { metric }: Series): string {
  return format.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? "");
}

/** A time without a value becomes a gap in the line. */
function pointsOf({ values }: Series, from: number, to: number, step: number, divisor: number): [number, number][] {
  const byTime = new Map(values.map(([at, value]) => [at, Number(value) / divisor]));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => [from + i * step, byTime.get(from + i * step) ?? Number.NaN]);
}

interface Panel {
  type: string;
  title: string;
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; legendFormat?: string }[];
}
const isDashboard = typia.createAssert<{ panels: Panel[] }>();
