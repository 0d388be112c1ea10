import { spread } from "../spread.js";

/** A quantity before and after, as the medians of two windows of equal length. */
export interface Growth {
  readonly before: number;
  readonly after: number;
}

/**
 * Compares the window at `fromShare` of the samples with the last one; each has a sixth of all samples. Skips the first part, in which
 * caches fill and code is compiled. `values` must not be empty.
 */
export function growth(values: readonly number[], fromShare: number): Growth {
  const length = Math.max(1, Math.floor(values.length / 6));
  const from = Math.floor(values.length * fromShare);
  const median = (part: readonly number[]): number => spread(part).median;
  return { before: median(values.slice(from, from + length)), after: median(values.slice(-length)) };
}
