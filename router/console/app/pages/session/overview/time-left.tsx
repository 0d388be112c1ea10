import { useNow } from "../../../ui/ago.js";
import { countdown } from "./countdown.js";

/** How long a session still waits before it is deleted. */
export function TimeLeft({ since, lastsMs, what }: { since: string; lastsMs: number; what: string }) {
  const { text, share } = countdown(Date.parse(since), lastsMs, useNow(1_000));
  return (
    <div class="countdown">
      <progress max={1} value={share} aria-label={what} />
      <span role="timer">
        {what} {text}
      </span>
    </div>
  );
}
