/** Returns the digits of a whole JSON number, for numbers and ids. Any other value is returned unchanged. */
export function numberAsText(value: unknown): unknown {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
}
