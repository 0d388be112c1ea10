const steps = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [Number.POSITIVE_INFINITY, "d"],
] as const;

/** How long something has lasted, in the largest unit that fits. Pure. */
export function lastingText(ms: number): string {
  let amount = Math.max(0, Math.floor(ms / 1_000));
  for (const [most, unit] of steps) {
    if (amount < most) return `${amount} ${unit}`;
    amount = Math.floor(amount / most);
  }
  return "";
}

const justNowMs = 10_000;

/** Returns how long ago something happened: `just now`, `5 min ago`. Pure. */
export function agoText(ms: number): string {
  return ms < justNowMs ? "just now" : `${lastingText(ms)} ago`;
}
