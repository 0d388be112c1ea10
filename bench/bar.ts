import { numberText } from "./number-text.js";
import { spread } from "./spread.js";

/** A requirement of a scenario. */
export interface Bar {
  /** The measured quantity; unique within the scenario. */
  readonly name: string;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly limit: Limit;
}

/** `reported`: the value has no limit. */
export type Limit = { readonly atLeast: number } | { readonly atMost: number } | { readonly exactly: number } | "reported";

/** A bar with its result: one number, or the median, least and most of all rounds. */
export interface Judged extends Bar {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Judges `values` by the names of the bars. Throws when a bar has no value or a value has no bar, because the scenario is wrong then. */
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

/** Returns `met`, or by how much the bar was missed. */
export function verdict({ value, limit }: Pick<Judged, "value" | "limit">): string {
  if (limit === "reported") return "reported";
  const bound = asNumber(limit);
  if ("atLeast" in limit ? value >= bound : "atMost" in limit ? value <= bound : value === bound) return "met";
  return `missed by ${bound === 0 ? numberText(Math.abs(value)) : `${numberText((Math.abs(value - bound) / Math.abs(bound)) * 100)} %`}`;
}

export function limitText({ limit, unit }: Bar): string {
  if (limit === "reported") return "report";
  const sign = "atLeast" in limit ? "≥" : "atMost" in limit ? "≤" : "=";
  return [sign, numberText(asNumber(limit)), unit].filter((part) => part !== "").join(" ");
}

export function asNumber(limit: Exclude<Limit, "reported">): number {
  return "atLeast" in limit ? limit.atLeast : "atMost" in limit ? limit.atMost : limit.exactly;
}
