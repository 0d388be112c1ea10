import { InvalidArgumentError } from "commander";

const seconds = { s: 1, min: 60, h: 3_600, day: 86_400 } as const;

/** Parses `50/s`, `3000/min` or `1e6/day` into a rate per second. */
export function rate(text: string): number {
  const [, amount = "", unit = "s"] = /^(\d+(?:\.\d+)?(?:e\d)?)(?:\/(s|min|h|day))?$/.exec(text) ?? [];
  if (amount === "") throw new InvalidArgumentError("Expected a rate such as 50/s, 3000/min or 1e6/day.");
  return Number(amount) / seconds[unit as keyof typeof seconds];
}

/** Parses a whole number from 0 to 100. */
export function percent(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 101;
  if (number > 100) throw new InvalidArgumentError("Expected a whole number from 0 to 100.");
  return number;
}
