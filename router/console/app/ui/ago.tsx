import { useEffect, useState } from "preact/hooks";

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

/** Since when something has been as it is; goes on by itself. */
export function Ago({ since }: { since: string }) {
  const now = useNow(10_000);
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {lastingText(now - Date.parse(since))}
    </time>
  );
}

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
