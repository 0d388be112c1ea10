import { useMemo, useState } from "preact/hooks";
import type { SlotAssignment } from "../../api/operator-rows.js";
import { numberText } from "../../ui/number-text.js";
import { mapWidth, placeText, slotAfterKey, slotGroups, squares } from "./slot-map.js";

/** Space between the squares, as a part of a cell. */
const side = 0.84;

export interface SlotMapProps {
  readonly places: readonly SlotAssignment[];
  /** The slot that the page shows; `undefined` if it shows none. */
  readonly current: number | undefined;
  readonly onChoose: (slot: number) => void;
}

/** Shows all slots as squares in the colours of their shards. The arrow keys move between slots, and Enter opens one. */
export function SlotMap({ places, current, onChoose }: SlotMapProps) {
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [chosenGroup, setChosenGroup] = useState("");
  const groups = useMemo(() => slotGroups(places), [places]);
  const pinned = useMemo(() => places.filter(({ pin }) => pin !== "").map(({ slot }) => slot), [places]);
  const shown = pointed ?? current ?? 0;
  const place = places[shown];
  const text = place === undefined ? "" : placeText(place);
  const rows = Math.ceil(places.length / mapWidth);
  const slotAt = (event: { currentTarget: Element; clientX: number; clientY: number }): number => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const [column, row] = [((event.clientX - left) / width) * mapWidth, ((event.clientY - top) / height) * rows];
    return Math.floor(clamp(row, rows)) * mapWidth + Math.floor(clamp(column, mapWidth));
  };
  return (
    <div class="slot-map">
      <ul class="legend" aria-label="Slots by shard">
        {groups.map(({ name, label, colour, slots }) => (
          <li key={name}>
            <button type="button" aria-pressed={chosenGroup === name} onClick={() => setChosenGroup(chosenGroup === name ? "" : name)}>
              <span class={`swatch ${colour}`} aria-hidden="true" />
              {label} <span class="soft">{numberText(slots.length)}</span>
            </button>
          </li>
        ))}
        {pinned.length > 0 && (
          <li>
            <span class="swatch pins" aria-hidden="true" />
            Pinned <span class="soft">{numberText(pinned.length)}</span>
          </li>
        )}
      </ul>
      <svg
        viewBox={`0 0 ${mapWidth} ${rows}`}
        role="slider"
        tabindex={0}
        aria-label="Map of all slots"
        aria-valuemin={0}
        aria-valuemax={places.length - 1}
        aria-valuenow={shown}
        aria-valuetext={text}
        onPointerMove={(event) => setPointed(slotAt(event))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => onChoose(slotAt(event))}
        onKeyDown={(event) => {
          const next = slotAfterKey(shown, event.key, places.length);
          if (next === undefined && event.key !== "Enter") return;
          event.preventDefault();
          if (next === undefined) onChoose(shown);
          else setPointed(next);
        }}
      >
        {groups.map(({ name, colour, slots }) => (
          <path key={name} class={`${colour} ${chosenGroup === "" || chosenGroup === name ? "" : "faded"}`} d={squares(slots, side)} />
        ))}
        <path class="pins" d={squares(pinned, 0.5)} />
        {(pointed !== undefined || current !== undefined) && <path class="pointed" d={squares([shown], 1)} />}
      </svg>
      <p class="soft" aria-hidden="true">
        {pointed === undefined && current === undefined ? "Point at a slot to see its shard. Select it to see more." : text}
      </p>
    </div>
  );
}

/** Keeps a position inside the map, because a pointer at the edge can be a fraction outside. */
function clamp(position: number, size: number): number {
  return Math.min(Math.max(position, 0), size - 1);
}
