import { numberText } from "./number-text.js";
import { spread } from "./spread.js";

/** What is asked of a scenario. */
export interface Bar {
  /** What is judged; one of its kind in the scenario. */
  readonly name: string;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly limit: Limit;
}

/** `reported`: only the value is asked for. */
export type Limit = { readonly atLeast: number } | { readonly atMost: number } | { readonly exactly: number } | "reported";

/** A bar and what came of it: one number, or the median of rounds and their ends. */
export interface Judged extends Bar {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** `values` by the bars' names. A bar without a value, or a value without a bar, is a mistake of the scenario's. */
export function judge(bars: readonly Bar[], values: Readonly<Record<string, number | readonly number[]>>): Judged[] {
  const unknown = Object.keys(values).filter((name) => !bars.some((bar) => bar.name === name));
  if (unknown.length > 0) throw new Error(`no bar is called ${unknown.join(", ")}`);
  return bars.map((bar) => {
    const value = values[bar.name];
    const { median, min, max } = spread(typeof value === "number" ? [value] : (value ?? []));
    if (!Number.isFinite(median)) throw new Error(`the bar "${bar.name}" has no value`);
    return { ...bar, value: median, min, max };
  });
}

/** `met`, or by how much not. */
export function verdict({ value, limit }: Pick<Judged, "value" | "limit">): string {
  if (limit === "reported") return "reported";
  const asked = asNumber(limit);
  if ("atLeast" in limit ? value >= asked : "atMost" in limit ? value <= asked : value === asked) return "met";
  return `missed by ${asked === 0 ? numberText(Math.abs(value)) : `${numberText((Math.abs(value - asked) / Math.abs(asked)) * 100)} %`}`;
}

export function limitText({ limit, unit }: Bar): string {
  if (limit === "reported") return "report";
  const sign = "atLeast" in limit ? "≥" : "atMost" in limit ? "≤" : "=";
  return [sign, numberText(asNumber(limit)), unit].filter((part) => part !== "").join(" ");
}

export function asNumber(limit: Exclude<Limit, "reported">): number {
  return "atLeast" in limit ? limit.atLeast : "atMost" in limit ? limit.atMost : limit.exactly;
}
