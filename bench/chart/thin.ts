import type { Chart, LineSeries } from "./chart.js";

/** A chart is 820 pixels wide. More points would not be visible, and would enlarge the repository. */
const pointsMost = 120;

/** Reduces long lines to points at even distances, plus their ends and extremes. */
export function thinned(chart: Chart): Chart {
  return chart.kind === "lines" ? { ...chart, series: chart.series.map(thinnedLine) } : chart;
}

function thinnedLine({ name, points }: LineSeries): LineSeries {
  if (points.length <= pointsMost) return { name, points };
  const values = points.map(([, value]) => value);
  const finite = values.filter(Number.isFinite);
  const even = pointsMost - 2;
  const kept = new Set([Math.min(...finite), Math.max(...finite)].map((extreme) => values.indexOf(extreme)));
  for (let step = 0; step < even; step += 1) kept.add(Math.round((step * (points.length - 1)) / (even - 1)));
  return { name, points: points.filter((_, index) => kept.has(index)) };
}
