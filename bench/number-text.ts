/** Returns three significant digits, or all digits of the whole number if it has more, with commas between thousands. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) < 1 ? 3 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
