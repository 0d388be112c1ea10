import { useEffect, useState } from "preact/hooks";
import { onLive } from "../../live/live-events.js";
import { withDeliveries, type DeliveriesEvent, type DeliverySum } from "./delivery-sums.js";

/** Most rows on the page. */
const shownMax = 100;
/** Combines events of many sessions into one update. */
const drawnEveryMs = 250;

/** Returns sums of webhook events since the page was opened, for one session or for all. */
export function useDeliveries(session?: string): readonly DeliverySum[] {
  const [sums, setSums] = useState<readonly DeliverySum[]>([]);
  useEffect(() => {
    let waiting: DeliveriesEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      const events = waiting;
      [waiting, timer] = [[], undefined];
      setSums((before) => withDeliveries(before, events, shownMax));
    };
    const end = onLive((event) => {
      if (event.type !== "deliveries" || (session !== undefined && event.session !== session)) return;
      waiting.push(event);
      timer ??= setTimeout(draw, drawnEveryMs);
    });
    return () => {
      end();
      clearTimeout(timer);
      setSums([]);
    };
  }, [session]);
  return sums;
}
