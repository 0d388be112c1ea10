/** A number or an id that a caller wrote as a JSON number is its digits, as long as it is whole; everything else stays what it is. */
export function numberAsText(value: unknown): unknown {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
}
