import { useEffect, useState } from "preact/hooks";
import { instantText } from "./instant-text.js";
import { agoText } from "./lasting-text.js";

/** How long ago something happened. Updates itself. */
export function Ago({ since }: { since: string }) {
  const now = useNow(10_000);
  return (
    <time dateTime={since} title={instantText(since)}>
      {agoText(now - Date.parse(since))}
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
