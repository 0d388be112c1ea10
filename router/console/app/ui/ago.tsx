import { useEffect, useState } from "preact/hooks";
import { lastingText } from "./lasting-text.js";

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
