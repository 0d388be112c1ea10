import { useEffect, useRef } from "preact/hooks";
import type { LiveEvent } from "./live-event.js";
import { onLive } from "./live-events.js";

/** Many things happen at once, such as slots that move; one look afterwards does. */
const restMs = 700;

/** Reads again after something of these kinds has happened, and whenever events were missed. */
export function useLiveReload(reload: () => void, kinds: readonly LiveEvent["type"][]): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onLive(({ type }) => {
      if (type !== "missed" && !kinds.includes(type)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current();
      }, restMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [kinds.join()]);
}
