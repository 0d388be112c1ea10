import { asNumber, limitText } from "../bar.js";
import type { BarChart, BarGroup, BarValue, Chart } from "../chart/chart.js";
import type { ComparisonRow } from "../comparison-rows.js";
import type { Results } from "../results.js";
import type { Spread } from "../spread.js";

/** Returns the charts of a scenario: results with their bars, the product with its baselines, then the scenario's own charts. */
export function chartsOf({ scenario, bars = [], rows = [], charts = [] }: Results): Chart[] {
  const units = [...new Set(bars.map(({ unit }) => unit))];
  const judged = units.map((unit): BarChart => {
    const groups = bars
      .filter((bar) => bar.unit === unit)
      .map(
        ({ name, value, min, max, limit, ...bar }): BarGroup => ({
          name,
          bars: [{ series: "measured", value, min, max }],
          ...(limit !== "reported" && { limit: { value: asNumber(limit), name: `bar ${limitText({ name, limit, ...bar })}` } }),
        }),
      );
    return { kind: "bars", title: `${scenario}: measured, and the bar`, unit: unit === "" ? "ratio" : unit, groups };
  });
  const groups = [...new Set(rows.map(groupName))];
  const beside: BarChart = {
    kind: "bars",
    title: `${scenario}: beside its baselines`,
    unit: "requests/s",
    groups: groups.map((name) => ({
      name,
      bars: rows.filter((row) => groupName(row) === name).map((row) => barOf(row.target, row.requestsPerSecond)),
    })),
  };
  return [...judged, ...(rows.length > 0 ? [beside] : []), ...charts];
}

function groupName({ what, connections }: ComparisonRow): string {
  return what ?? `${connections} connections`;
}

function barOf(series: string, { median, min, max }: Spread): BarValue {
  return { series, value: median, min, max };
}
