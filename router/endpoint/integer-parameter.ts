import { isBlank } from "../../shared/contract/blank.js";

/** Parses decimal digits in a range. Returns the default for an absent or blank value and `undefined` for an invalid one. */
export function integer(value: string | readonly string[] | undefined, absent: number, from: number, to: number): number | undefined {
  if (value === undefined || (typeof value === "string" && isBlank(value))) return absent;
  if (typeof value !== "string" || !/^[0-9]{1,10}$/.test(value)) return undefined;
  const parsed = Number(value);
  return parsed >= from && parsed <= to ? parsed : undefined;
}
