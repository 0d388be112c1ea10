import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { DeclaredMetric } from "./declared-metrics.js";
import { readsOf } from "./promql.js";

export const manifestsFolder = resolve(import.meta.dirname, "../../../../deploy/manifests");

export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns every rule of one file of deploy/manifests/prometheus/rules. */
export function rulesOf(file: "records.yml" | "alerts.yml"): Rule[] {
  const { groups } = parse(readFileSync(resolve(manifestsFolder, "prometheus/rules", file), "utf8")) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Labels that Prometheus adds to every series of a scrape. */
const everywhere = ["job", "instance", "role", "member", "le"];
/** Series of Prometheus itself. */
const prometheusOwn: Readonly<Record<string, readonly string[]>> = { up: [], ALERTS: ["alertname", "alertstate", "severity"] };

/** Returns unknown metrics of an expression, and labels that the metric does not have. A rule declares its recorded series. */
export function unknownNames(expression: string, declared: readonly DeclaredMetric[], records: readonly Rule[]): string[] {
  const { selectors, groupings } = readsOf(expression);
  const found = selectors.map(({ metric, labels }) => ({ metric, labels, has: labelsOf(metric, declared, records) }));
  const known = new Set([...everywhere, ...found.flatMap(({ has }) => has ?? [])]);
  return [
    ...found.filter(({ has }) => has === undefined).map(({ metric }) => metric),
    ...found.flatMap(({ metric, labels, has }) =>
      labels.filter((label) => ![...everywhere, ...(has ?? [])].includes(label)).map((label) => `${metric}{${label}}`),
    ),
    ...groupings.filter((label) => !known.has(label)).map((label) => `by (${label})`),
  ];
}

function labelsOf(metric: string, declared: readonly DeclaredMetric[], records: readonly Rule[]): readonly string[] | undefined {
  const own = prometheusOwn[metric];
  if (own !== undefined) return own;
  const record = records.find((rule) => rule.record === metric);
  if (record !== undefined) return readsOf(record.expr).groupings;
  const histogram = metric.replace(/_(bucket|sum|count)$/, "");
  const match = declared.find(({ name, type }) => (type === "histogram" ? name === histogram && name !== metric : name === metric));
  return match?.labels;
}
