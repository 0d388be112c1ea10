import { useEffect, useState } from "preact/hooks";
import { unreachable, waitingCalls } from "../api/call.js";
import { liveState } from "../live/live-events.js";
import { Badge } from "../ui/badge.js";

/** A slower response is shown as slow. */
const slowMs = 5_000;

/** Shows whether the data is current: live, slow, or without a response. */
export function LiveMark() {
  const slow = useSlow();
  return (
    <div class="live-mark" role="status">
      {waitingCalls.value.length > 0 && <span class="progress" aria-hidden="true" />}
      {unreachable.value ? (
        <Badge tone="bad">Gateway unreachable</Badge>
      ) : slow ? (
        <Badge tone="warn">Slow response</Badge>
      ) : liveState.value === "live" ? (
        <Badge tone="good">Live</Badge>
      ) : liveState.value === "waiting" ? (
        <Badge tone="warn">Reconnecting…</Badge>
      ) : null}
    </div>
  );
}

function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  const calls = waitingCalls.value;
  useEffect(() => {
    const oldest = Math.min(...calls);
    setSlow(performance.now() - oldest > slowMs);
    if (calls.length === 0) return undefined;
    const timer = setTimeout(() => setSlow(true), Math.max(0, oldest + slowMs - performance.now()));
    return () => clearTimeout(timer);
  }, [calls]);
  return slow;
}
