import type { SlotAssignment, SlotState } from "../../api/operator-rows.js";

/** Slots in a row of the map. */
export const mapWidth = 64;

/** Number of shard colours in the style. Further shards use them again. */
const colours = 8;

export const slotStates: Readonly<Record<SlotState, string>> = {
  held: "Assigned",
  draining: "Draining",
  free: "Unassigned",
  lost: "Lost",
};

/** Slots of the map with the same colour. */
export interface SlotGroup {
  /** Name of the shard, or `free` or `lost`. */
  readonly name: string;
  readonly label: string;
  /** Class of the style that colours the group. */
  readonly colour: string;
  readonly slots: readonly number[];
}

/** Returns the slots by shard, in the order of the names, and after them the slots without a shard. Pure. */
export function slotGroups(places: readonly SlotAssignment[]): readonly SlotGroup[] {
  const slotsWith = (test: (place: SlotAssignment) => boolean): number[] => places.filter(test).map(({ slot }) => slot);
  const hasShard = ({ state }: SlotAssignment): boolean => state === "held" || state === "draining";
  const shards = [...new Set(places.filter(hasShard).map(({ member }) => member))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  return [
    ...shards.map((label, index) => ({
      name: `shard ${label}`,
      label,
      colour: `shard-${(index % colours) + 1}`,
      slots: slotsWith((place) => hasShard(place) && place.member === label),
    })),
    ...(["free", "lost"] as const)
      .map((name) => ({ name, label: slotStates[name], colour: name, slots: slotsWith(({ state }) => state === name) }))
      .filter(({ slots }) => slots.length > 0),
  ];
}

/** Returns the places after a shard took these slots. Pure. */
export function taken(places: readonly SlotAssignment[], member: string, slots: readonly number[]): readonly SlotAssignment[] {
  const moved = new Set(slots);
  return places.map((place) => (moved.has(place.slot) ? { ...place, state: "held", member } : place));
}

/** Returns the slot's place in words: `Slot 17 · shard-1 · pinned to shard-2`. Pure. */
export function placeText({ slot, state, member, pin }: SlotAssignment): string {
  const owner = state === "held" ? member : [member, slotStates[state].toLowerCase()].filter((part) => part !== "").join(", ");
  return [`Slot ${slot}`, owner, ...(pin === "" ? [] : [pin === member ? "pinned" : `pinned to ${pin}`])].join(" · ");
}

/** Returns the path of squares, one for each slot, `side` wide in a cell of 1. Pure. */
export function squares(slots: readonly number[], side: number): string {
  const edge = (1 - side) / 2;
  return slots.map((slot) => `M${(slot % mapWidth) + edge} ${Math.floor(slot / mapWidth) + edge}h${side}v${side}h-${side}z`).join("");
}

/** Returns the slot that the key leads to from `slot`; `undefined` for any other key. Stops at the edges. Pure. */
export function slotAfterKey(slot: number, key: string, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -mapWidth, ArrowDown: mapWidth };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const next = slot + (steps[key] ?? Number.NaN);
  if (Number.isNaN(next)) return undefined;
  return next < 0 || next >= count ? slot : next;
}
