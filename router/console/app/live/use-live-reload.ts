import { useEffect, useRef } from "preact/hooks";
import type { LiveEvent } from "./live-event.js";
import { isLost, onLive } from "./live-events.js";

/** Delay that combines bursts of events, such as moving slots, into one reload. */
const restDefaultMs = 700;
/** Reload interval while the event stream is down. */
const lostEveryMs = 15_000;

/** Reloads after relevant events, and whenever events were missed. */
export function useLiveReload(reload: () => void, concerns: (event: LiveEvent) => boolean, restMs = restDefaultMs): void {
  const latest = useRef({ reload, concerns });
  latest.current = { reload, concerns };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onLive((event) => {
      if (event.type !== "missed" && !latest.current.concerns(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current.reload();
      }, restMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [restMs]);
  const lost = isLost();
  const wasLost = useRef(false);
  useEffect(() => {
    // Changes between the last reload and the start of the stream had no event.
    if (!lost && wasLost.current) latest.current.reload();
    wasLost.current = lost;
    if (!lost) return undefined;
    const timer = setInterval(() => latest.current.reload(), lostEveryMs);
    return () => clearInterval(timer);
  }, [lost]);
}
