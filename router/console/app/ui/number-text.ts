const format = new Intl.NumberFormat("en");

/** Returns a number with separators, such as `1,366`. Pure. */
export function numberText(number: number): string {
  return format.format(number);
}
