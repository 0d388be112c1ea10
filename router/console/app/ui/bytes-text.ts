const units = ["B", "KiB", "MiB", "GiB"] as const;

/** A size as people read it: `1.2 MiB`. Pure. */
export function bytesText(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit] ?? ""}`;
}
