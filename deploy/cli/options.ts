import { InvalidArgumentError } from "commander";

/** A whole number from 1 up. */
export function count(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError("It is a whole number from 1 up.");
  return number;
}

/** A number over 0, such as the seconds of a film. */
export function positive(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It is a number over 0.");
  return number;
}

/** An option that may stand several times. */
export function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}
