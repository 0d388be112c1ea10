import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { SlotAssignment } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { onLive } from "../../live/live-events.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { taken } from "./slot-map.js";

/** Owners and pins of all slots: read once, then updated by events. */
export function useSlotMap(): Loaded<readonly SlotAssignment[]> {
  const loaded = useLoaded(readAll, []);
  const [places, setPlaces] = useState<readonly SlotAssignment[] | undefined>(undefined);
  useEffect(() => setPlaces(loaded.value), [loaded.value]);
  useLiveReload(loaded.reload, ({ type }) => type === "member");
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "slots") setPlaces((now) => (now === undefined ? now : taken(now, event.member, event.slots)));
      }),
    [],
  );
  return { ...loaded, value: places };
}

async function readAll(signal: AbortSignal): Promise<readonly SlotAssignment[]> {
  const places: SlotAssignment[] = [];
  let after = "";
  do {
    const { docs, next } = await call<Page<SlotAssignment>>("GET /admin/slots", { query: { limit: 1_000, after }, signal });
    places.push(...docs);
    after = next;
  } while (after !== "");
  return places;
}
