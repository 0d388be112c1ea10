import { expect, it } from "vitest";
import type { Chart, LineSeries } from "../../../../bench/chart/chart.js";
import { thinned } from "../../../../bench/chart/thin.js";

const lines = (...series: LineSeries[]): Chart => ({ kind: "lines", title: "memory", unit: "MiB", x: "time", series });
const points = (chart: Chart): LineSeries["points"] => (chart.kind === "lines" ? (chart.series[0]?.points ?? []) : []);
const wave = (count: number): [number, number][] => Array.from({ length: count }, (_, index) => [index, Math.sin(index / 50)]);

it.each([
  ["in the middle", 200, 260],
  ["beside each other", 250, 251],
  ["at the ends", 0, 479],
])("a long line keeps its ends, its extremes (%s) and even steps between", (_, low, high) => {
  const long = wave(480).map(([x, y]): [number, number] => [x, x === low ? -9 : x === high ? 9 : y]);
  const kept = points(thinned(lines({ name: "shard-1", points: long })));
  expect(kept.length).toBeGreaterThan(115);
  expect(kept.length).toBeLessThanOrEqual(120);
  for (const index of [0, low, high, 479]) expect(kept).toContainEqual(long[index]);
  const steps = kept.slice(1).map(([x], index) => x - (kept[index]?.[0] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThanOrEqual(5);
});

it("a gap is no extreme", () => {
  const gap = wave(480).map(([x, y]): [number, number] => [x, x === 100 ? Number.NaN : y]);
  expect(points(thinned(lines({ name: "heap", points: gap }))).length).toBeGreaterThan(115);
});

it("a short line and bars stay as they are", () => {
  const bars: Chart = { kind: "bars", title: "requests", unit: "/s", groups: [{ name: "1", bars: [{ series: "us", value: 1 }] }] };
  const short = lines({ name: "shard-1", points: wave(120) });
  expect([thinned(bars), thinned(short)]).toEqual([bars, short]);
});
