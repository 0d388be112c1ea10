import { InvalidArgumentError } from "commander";
import { usageError } from "./exit-code.js";

/** Parses a whole number from 1 up. */
export function count(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError("Expected a whole number of at least 1.");
  return number;
}

/** Parses a number above 0, such as a video's length in seconds. */
export function positive(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("Expected a number greater than 0.");
  return number;
}

/** Collects the values of an option that may be repeated. */
export function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Checked after parsing, because commander would report a missing option before the misspelled one that causes it. */
export function required<T>(value: T | undefined, option: string): T {
  if (value === undefined) throw usageError(`missing required option ${option}`);
  return value;
}
