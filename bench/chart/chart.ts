/** Data of a chart: stored in the results, drawn by `drawCharts`. */
export type Chart = BarChart | LineChart;

/** Groups of horizontal bars on one axis, such as the product and its baselines by number of clients. */
export interface BarChart {
  readonly kind: "bars";
  readonly title: string;
  /** Unit of all values; the title of the axis. */
  readonly unit: string;
  readonly groups: readonly BarGroup[];
}

export interface BarGroup {
  readonly name: string;
  readonly bars: readonly BarValue[];
  /** The group's limit, drawn as a dashed line across its bars. */
  readonly limit?: Limit;
}

/** The value of one bar. A series has the same colour in all groups; `min` and `max` are drawn as a whisker. */
export interface BarValue {
  readonly series: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
}

export interface LineChart {
  readonly kind: "lines";
  readonly title: string;
  /** Unit of all values; the title of the axis. */
  readonly unit: string;
  /** `time`: `x` is in Unix seconds, as in Prometheus' `query_range`, and shown in UTC. Otherwise the title of the axis with its unit. */
  readonly x: "time" | { readonly name: string };
  readonly series: readonly LineSeries[];
  /** The limit, drawn as a dashed line. */
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
