import { useEffect, useState } from "preact/hooks";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { View } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { SlotCard } from "./slot-card.js";
import { SlotMap } from "./slot-map-view.js";
import { useSlotMap } from "./use-slot-map.js";

/** Shows all slots as a map, and one of them with its owner and its pin. */
export function SlotsPage({ params: { slot = "" } }: PageProps) {
  const [number, setNumber] = useState(slot);
  const map = useSlotMap();
  useEffect(() => setNumber(slot), [slot]);
  return (
    <div class="page">
      <h1>Slots</h1>
      <p class="soft">
        Sessions are grouped into 4,096 slots. A slot always moves as a unit. Pin a slot to keep it on one shard. You find a session's slot
        on its page.
      </p>
      <div class="columns">
        <section class="card" aria-label="Map">
          <View of={map}>
            {(places) => (
              <SlotMap
                places={places}
                current={places.find((place) => String(place.slot) === slot)?.slot}
                onChoose={(chosen) => go(to("/slots/:slot", { slot: String(chosen) }))}
              />
            )}
          </View>
        </section>
        <div class="stack">
          <form
            class="toolbar"
            onSubmit={(event) => {
              event.preventDefault();
              if (number !== "") go(to("/slots/:slot", { slot: number }));
            }}
          >
            <Field label="Slot" type="number" value={number} onInput={setNumber} placeholder="0–4095" />
            <Button type="submit" icon="search">
              Look up
            </Button>
          </form>
          {slot !== "" && <SlotCard key={slot} slot={slot} onPin={map.reload} />}
        </div>
      </div>
    </div>
  );
}
