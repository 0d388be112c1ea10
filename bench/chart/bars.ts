import { scaleLinear } from "d3-scale";
import { numberText } from "../number-text.js";
import type { BarChart, BarGroup, BarValue } from "./chart.js";
import { drawHead } from "./legend.js";
import { element, label, rule, type Drawing } from "./svg.js";
import { colour, textWidth, width } from "./theme.js";

const barHeight = 17;
const barGap = 4;
/** Includes room for the name of a limit. */
const groupGap = 24;
const margin = 16;
/** Maximum width of group names; longer ones are cut. */
const namesMost = 320;

/** Draws horizontal bars, so that long names stay readable. Values are in a separate column, where no line crosses them. */
export function drawBars({ title, unit, groups }: BarChart): Drawing {
  const series = [...new Set(groups.flatMap(({ bars }) => bars.map((bar) => bar.series)))];
  const head = drawHead(title, series);
  const left = margin + Math.min(namesMost, Math.max(0, ...groups.map(({ name }) => textWidth(name)))) + 10;
  const texts = groups.flatMap(({ bars }) => bars.map(valueText));
  const right = width - margin - Math.max(40, ...texts.map(textWidth)) - 12;
  const most = Math.max(
    0,
    ...groups
      .flatMap(({ bars, limit }) => [...bars.flatMap(({ value, max = value }) => [value, max]), limit?.value ?? 0])
      .filter(Number.isFinite),
  );
  const scale = scaleLinear([0, most === 0 ? 1 : most], [left, right]).nice(6);

  const top = head.height + 14;
  const rows: string[] = [];
  let y = top;
  for (const group of groups) {
    rows.push(...drawGroup(group, { y, left, series, scale }));
    y += groupHeight(group) + groupGap;
  }
  const bottom = y - groupGap + 8;
  const grid = scale
    .ticks(6)
    .flatMap((tick) => [
      rule(scale(tick), top - 4, scale(tick), bottom, tick === 0 ? "axis" : "grid"),
      label(scale(tick), bottom + 16, scale.tickFormat(6)(tick), { kind: "faint", anchor: "middle" }),
    ]);
  return {
    height: bottom + 48,
    content: [...head.content, ...grid, ...rows, label((left + right) / 2, bottom + 34, unit, { kind: "faint", anchor: "middle" })],
  };
}

interface Place {
  readonly y: number;
  readonly left: number;
  readonly series: readonly string[];
  readonly scale: (value: number) => number;
}

function drawGroup(group: BarGroup, { y, left, series, scale }: Place): string[] {
  const { name, bars, limit } = group;
  const height = groupHeight(group);
  const fitting = textWidth(name) <= namesMost ? name : `${name.slice(0, Math.floor(namesMost / textWidth("x")) - 1)}…`;
  const drawn = [label(left - 10, y + height / 2 + 4, fitting, { anchor: "end" })];
  for (const [index, bar] of bars.entries()) {
    const at = y + index * (barHeight + barGap);
    const { value, min = value, max = value } = bar;
    const middle = at + barHeight / 2;
    drawn.push(
      element("rect", {
        x: left,
        y: at,
        width: Math.max(1, scale(value) - left),
        height: barHeight,
        rx: 2,
        fill: colour(series.indexOf(bar.series)),
      }),
    );
    if (max > min)
      drawn.push(
        rule(scale(min), middle, scale(max), middle, "whisker"),
        ...[min, max].map((end) => rule(scale(end), middle - 4, scale(end), middle + 4, "whisker")),
      );
    drawn.push(label(width - margin, middle + 4, valueText(bar), { anchor: "end" }));
  }
  if (limit !== undefined) {
    drawn.push(rule(scale(limit.value), y - 5, scale(limit.value), y + height + 5, "limit"));
    drawn.push(label(scale(limit.value) - 5, y - 6, limit.name, { kind: "limit-text", anchor: "end" }));
  }
  return drawn;
}

function groupHeight({ bars }: BarGroup): number {
  return bars.length * (barHeight + barGap) - barGap;
}

function valueText({ value, min = value, max = value }: BarValue): string {
  return min === max ? numberText(value) : `${numberText(value)} (${numberText(min)}–${numberText(max)})`;
}
