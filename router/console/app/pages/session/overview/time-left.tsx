import { useNow } from "../../../ui/ago.js";
import { countdown } from "./countdown.js";

interface TimeLeftProps {
  readonly since: string;
  readonly lastsMs: number;
  readonly before?: string;
  readonly after?: string;
}

/**
 * Shows the time until the session is deleted. The gateway counts only usable time, and restarts after an undelete, so nothing is shown
 * once the computed time is over.
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
