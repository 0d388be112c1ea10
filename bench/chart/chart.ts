/** Data of a chart: kept in the results, drawn by `drawCharts`. */
export type Chart = BarChart | LineChart;

/** Groups of horizontal bars on one axis, such as the product beside its baselines, by number of clients. */
export interface BarChart {
  readonly kind: "bars";
  readonly title: string;
  /** Of all values; names the axis. */
  readonly unit: string;
  readonly groups: readonly BarGroup[];
}

export interface BarGroup {
  readonly name: string;
  readonly bars: readonly BarValue[];
  /** What is asked of the group: a dashed line across its bars. */
  readonly limit?: Limit;
}

/** Bars of one series have one colour in all groups; `min` and `max` are drawn as a whisker. */
export interface BarValue {
  readonly series: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
}

export interface LineChart {
  readonly kind: "lines";
  readonly title: string;
  /** Of all values; names the axis. */
  readonly unit: string;
  /** `time`: `x` is Unix seconds and shown in UTC, as Prometheus' `query_range` has it. Else the axis' name, with its unit. */
  readonly x: "time" | { readonly name: string };
  readonly series: readonly LineSeries[];
  /** What is asked: a dashed line. */
  readonly limit?: Limit;
}

/** `points` ascend by `x`. A value that is not finite leaves a gap. */
export interface LineSeries {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Limit {
  readonly value: number;
  readonly name: string;
}
