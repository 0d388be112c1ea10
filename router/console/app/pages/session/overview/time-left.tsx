import { useNow } from "../../../ui/ago.js";
import { countdown } from "./countdown.js";

interface TimeLeftProps {
  readonly since: string;
  readonly lastsMs: number;
  readonly before?: string;
  readonly after?: string;
}

/**
 * How long a session still waits before it is deleted, from when it began to. The gateway counts only time in which the session could be used, and anew for one that was
 * brought back: so what is there past its end has a time that nobody here can tell, and none is shown.
 */
export function TimeLeft({ since, lastsMs, before = "Expires in", after = "" }: TimeLeftProps) {
  const { leftMs, text, share } = countdown(Date.parse(since), lastsMs, useNow(1_000));
  if (leftMs === 0) return null;
  return (
    <div class="countdown">
      <progress max={1} value={share} aria-label={before} />
      <span role="timer">
        {before} {text} {after}
      </span>
    </div>
  );
}
