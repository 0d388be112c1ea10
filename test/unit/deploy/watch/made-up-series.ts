import type { DeclaredMetric } from "./declared-metrics.js";

/** Each kind of process has two members, so that a wrong join finds several partners. */
const members = [1, 2];

/**
 * Returns series of `metrics` with every label set, and again with the labels that `expressions` select. An unknown label or a wrong join
 * finds nothing.
 */
export function madeUpSeries(role: string, metrics: readonly DeclaredMetric[], expressions: readonly string[]): string[] {
  const wanted = expressions.flatMap(wantedLabels);
  const series = metrics.flatMap(({ name, type, labels }) => {
    const any = Object.fromEntries(labels.map((label) => [label, "any"]));
    const own = wanted.filter(({ metric }) => metric.replace(/_(bucket|sum|count)$/, "") === name || metric === name);
    const asked = own.map((selector) => Object.fromEntries(Object.entries(selector.labels).filter(([label]) => label in any)));
    return [{}, ...asked].flatMap((values) =>
      members.flatMap((member) => {
        const all = { job: `${role}s`, instance: `${role}-${member}:9090`, role, member: `${role}-${member}`, ...any, ...values };
        if (type !== "histogram") return [named(name, all)];
        const buckets = ["0.1", "1", "+Inf"].map((le) => named(`${name}_bucket`, { ...all, le }));
        return [...buckets, named(`${name}_sum`, all), named(`${name}_count`, all)];
      }),
    );
  });
  return [...new Set(series)];
}

function named(name: string, labels: Readonly<Record<string, string>>): string {
  return `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(",")}}`;
}

/** Returns the label values that a selector requires. Of several alternatives it takes the first. */
function wantedLabels(expression: string): { metric: string; labels: Record<string, string> }[] {
  return [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(([, metric = "", braces = ""]) => ({
    metric,
    labels: Object.fromEntries(
      [...braces.matchAll(/(\w+)\s*(=~|=)\s*"([^"]*)"/g)].map(([, label = "", , value = ""]) => [
        label,
        value
          .split("|")[0]
          ?.replaceAll(/[.][*+]/g, "any")
          .replaceAll("\\", "") ?? "",
      ]),
    ),
  }));
}
