import { scaleLinear, scaleUtc } from "d3-scale";
import type { LineChart, LineSeries } from "./chart.js";
import { drawHead } from "./legend.js";
import { element, label, rule, tidy, type Drawing } from "./svg.js";
import { colour, textWidth, width } from "./theme.js";

const plotHeight = 220;
const margin = 16;
/** Each point is marked if there are fewer than this. */
const markedMost = 40;
const namedMost = 8;

interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

/** Draws one line for each series, with values from 0 upwards. */
export function drawLines({ title, unit, x, series, limit }: LineChart): Drawing {
  const head = drawHead(
    title,
    series.map(({ name }) => name),
  );
  const points = series.flatMap((one) => one.points);
  const values = [...points.map(([, value]) => value), limit?.value ?? 0].filter(Number.isFinite);
  const top = head.height + 24;
  const bottom = top + plotHeight;
  const y = linearAxis(Math.min(0, ...values), Math.max(0, ...values) || 1, bottom, top, 5);
  const left = margin + Math.max(...y.ticks.map(({ text }) => textWidth(text))) + 10;
  const right = width - margin - 16;
  const places = points.map(([place]) => place);
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const across = x === "time" ? timeAxis(from, to, left, right) : valueAxis(places, left, right);
  return {
    height: bottom + (x === "time" ? 36 : 52),
    content: [
      ...head.content,
      label(margin, top - 12, unit, { kind: "faint" }),
      ...y.ticks.flatMap(({ value, text }) => [
        rule(left, y.at(value), right, y.at(value), value === 0 ? "axis" : "grid"),
        label(left - 8, y.at(value) + 4, text, { kind: "faint", anchor: "end" }),
      ]),
      ...across.ticks.flatMap(({ value, text }) => [
        rule(across.at(value), bottom, across.at(value), bottom + 5, "axis"),
        label(across.at(value), bottom + 20, text, { kind: "faint", anchor: "middle" }),
      ]),
      ...(x === "time" ? [] : [label((left + right) / 2, bottom + 38, x.name, { kind: "faint", anchor: "middle" })]),
      ...series.flatMap((one, index) => drawSeries(one, index, across.at, y.at)),
      ...(limit === undefined
        ? []
        : [
            rule(left, y.at(limit.value), right, y.at(limit.value), "limit"),
            label(right, y.at(limit.value) - 6, limit.name, { kind: "limit-text", anchor: "end" }),
          ]),
    ],
  };
}

function drawSeries({ points }: LineSeries, index: number, x: Axis["at"], y: Axis["at"]): string[] {
  let path = "";
  let lifted = true;
  for (const [place, value] of points) {
    if (Number.isFinite(value)) path += `${lifted ? "M" : "L"}${tidy(x(place))} ${tidy(y(value))}`;
    lifted = !Number.isFinite(value);
  }
  const marked = points.length > markedMost ? [] : points.filter(([, value]) => Number.isFinite(value));
  return [
    ...(path === "" ? [] : [element("path", { d: path, class: "line", stroke: colour(index) })]),
    ...marked.map(([place, value]) => element("circle", { cx: x(place), cy: y(value), r: 2.6, fill: colour(index) })),
  ];
}

/** An axis with round numbers at its ends. */
function linearAxis(from: number, to: number, start: number, end: number, count: number): Axis {
  const scale = scaleLinear([from, to === from ? from + 1 : to], [start, end]).nice(count);
  const text = scale.tickFormat(count);
  return { at: scale, ticks: scale.ticks(count).map((value) => ({ value, text: text(value) })) };
}

/** An axis that ends where the data ends. With few measured places, such as 1, 2 and 4 shards, each gets a tick. */
function valueAxis(places: readonly number[], start: number, end: number): Axis {
  const own = [...new Set(places)].sort((a, b) => a - b);
  const [from = 0, to = from] = [own[0], own.at(-1)];
  const scale = scaleLinear([from, to === from ? from + 1 : to], [start, end]);
  const values = own.length <= namedMost ? own : scale.ticks(8);
  return { at: scale, ticks: values.map((value) => ({ value, text: value.toLocaleString("en-US") })) };
}

function timeAxis(from: number, to: number, start: number, end: number): Axis {
  const scale = scaleUtc([from * 1000, (to === from ? from + 1 : to) * 1000], [start, end]);
  // The default format of d3 has hours from 1 to 12.
  const text = scale.tickFormat(8, to - from < 300 ? "%H:%M:%S" : "%H:%M");
  return {
    at: (seconds) => scale(seconds * 1000),
    ticks: scale.ticks(8).map((date) => ({ value: date.getTime() / 1000, text: text(date) })),
  };
}
