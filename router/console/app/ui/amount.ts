const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes in the largest unit that fits. Pure. */
export function bytesText(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 1_024 && unit < units.length - 1) [amount, unit] = [amount / 1_024, unit + 1];
  return `${amount >= 100 || unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[unit] ?? ""}`;
}

/** An instant of the API, in the words of whoever reads it; nothing for an empty one. */
export function instantText(at: string | null): string {
  return at === null || at === "" ? "" : new Date(at).toLocaleString();
}
