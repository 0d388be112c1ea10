import { numberText } from "./number-text.js";
import { quantile } from "./quantile.js";
import { spread, type Spread } from "./spread.js";

/** One line of a scenario's table: the quantity, its unit and its method. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  /** Method of the measurement, with sample counts that the value does not show. */
  readonly how: string;
  /** One number, the result of each round, or all samples. The results store all samples, and quantiles use all of them. */
  readonly value: number | { readonly rounds: readonly number[] } | { readonly samples: readonly number[] };
}

/** Summary of many samples. */
export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function distribution(samples: readonly number[]): Distribution {
  const sorted = [...samples].sort((a, b) => a - b);
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? 0 };
}

/** Returns the value as text; rounds as their median (least–most). */
export function figureText({ value }: Pick<Figure, "value">): string {
  if (typeof value === "number") return numberText(value);
  if ("rounds" in value) {
    const { median, min, max } = spread(value.rounds);
    return `${numberText(median)} (${numberText(min)}–${numberText(max)})`;
  }
  const { count, p50, p99, max } = distribution(value.samples);
  return `p50 ${numberText(p50)}, p99 ${numberText(p99)}, max ${numberText(max)} (n = ${count})`;
}

/**
 * The form in the results: with the summary of the samples, and all samples in one line of text, because thousands of lines would bury the
 * figures.
 */
export type StoredFigure = Omit<Figure, "value"> &
  ({ readonly value: number } | (Spread & { readonly rounds: readonly number[] }) | (Distribution & { readonly samples: string }));

export function storedFigure({ value, ...figure }: Figure): StoredFigure {
  if (typeof value === "number") return { ...figure, value };
  if ("rounds" in value) return { ...figure, ...spread(value.rounds), rounds: value.rounds };
  return { ...figure, ...distribution(value.samples), samples: value.samples.map((sample) => Number(sample.toPrecision(6))).join(" ") };
}

export function readFigure(stored: StoredFigure): Figure {
  const { what, unit, how } = stored;
  if ("rounds" in stored) return { what, unit, how, value: { rounds: stored.rounds } };
  if ("samples" in stored)
    return { what, unit, how, value: { samples: stored.samples === "" ? [] : stored.samples.split(" ").map(Number) } };
  return { what, unit, how, value: stored.value };
}
