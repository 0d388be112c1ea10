import type { Chart, LineSeries } from "./chart.js";

/** A chart is 820 pixels wide: more points than this show nothing more, and weigh the repository down. */
const pointsMost = 120;

/** What of a chart is kept: of each long line points at even distances, with its ends and its extremes. */
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
