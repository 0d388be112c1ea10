import { useEffect, useRef } from "preact/hooks";
import type { LiveEvent } from "./live-event.js";
import { isLost, onLive } from "./live-events.js";

/** Many things happen at once, such as slots that move; one look afterwards does. */
const restDefaultMs = 700;
/** While nothing is told, because the stream is away, a look from time to time. */
const lostEveryMs = 15_000;

/** Reads again after something has happened that concerns it, and whenever events were missed. */
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
    // What happened between a look and the beginning of the stream was told to nobody.
    if (!lost && wasLost.current) latest.current.reload();
    wasLost.current = lost;
    if (!lost) return undefined;
    const timer = setInterval(() => latest.current.reload(), lostEveryMs);
    return () => clearInterval(timer);
  }, [lost]);
}
