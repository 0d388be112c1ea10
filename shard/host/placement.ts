import { xxHash32 } from "js-xxhash";
import { slotCount } from "../../shared/limits.js";
import { SlotScores } from "./slot-scores.js";

export interface PlacementMember {
  name: string;
  /** Relative share of slots, above 0. */
  weight: number;
}

/** How many slots a member gets at most: 1, its share rounded up, as versions up to 0.3 have it; 2, exactly its share, so that none stays empty among a thousand. */
export type ShareRule = 1 | 2;

/** The rule of this version. A cluster goes by the oldest one among its members, or they would give the same slot to two or to nobody. */
export const shareRule: ShareRule = 2;

/** Slots between two points at which the event loop may have its turn. Of a thousand members that is a fifth of a millisecond. */
const slotsAtOnce = 64;

/**
 * Bounded weighted rendezvous (shared/README.md, "Placement"): which member should own each slot. Pure, as `scores` only remembers: the same members, pins and rule
 * give the same map in every process, so there is no leader. Pinned slots come on top of a member's share. Empty when there are no members. A generator: between its
 * steps other work may be done.
 */
export function* placeSlots(
  scores: SlotScores,
  members: readonly PlacementMember[],
  pins: ReadonlyMap<number, string>,
  rule: ShareRule,
): Generator<undefined, readonly string[]> {
  if (members.length === 0) return [];
  const ordered = [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
  yield* scores.admit(ordered.map(({ name }) => name));
  const shares = sharesOf(ordered, rule);
  const seats = {
    room: new Int32Array(scores.width),
    weight: new Float64Array(scores.width),
    rank: new Int32Array(scores.width),
    isEven: ordered.every(({ weight }) => weight === ordered[0]?.weight),
  };
  const names: string[] = new Array<string>(scores.width).fill("");
  ordered.forEach(({ name, weight }, rank) => {
    const column = scores.column(name);
    seats.room[column] = shares[rank] ?? 0;
    seats.weight[column] = weight;
    seats.rank[column] = rank;
    names[column] = name;
  });
  const map: string[] = [];
  for (let slot = 0; slot < slotCount; slot += 1) {
    const pinned = pins.get(slot);
    if (pinned !== undefined && scores.column(pinned) >= 0) map.push(pinned);
    else {
      const best = scores.best(slot, seats);
      seats.room[best] = (seats.room[best] ?? 0) - 1;
      map.push(names[best] ?? "");
    }
    if (slot % slotsAtOnce === slotsAtOnce - 1) yield;
  }
  return map;
}

/** `placeSlots` in one go. */
export function targetMap(
  members: readonly PlacementMember[],
  pins: ReadonlyMap<number, string>,
  rule: ShareRule = shareRule,
  scores = new SlotScores(),
): readonly string[] {
  const steps = placeSlots(scores, members, pins, rule);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Slots of each member. Their sum is at least the number of slots, so there is always room. */
export function sharesOf(members: readonly PlacementMember[], rule: ShareRule): number[] {
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  const ideal = members.map(({ weight }) => (slotCount * weight) / total);
  if (rule === 1) return ideal.map(Math.ceil);
  const shares = ideal.map(Math.floor);
  const left = slotCount - shares.reduce((sum, share) => sum + share, 0);
  // Largest remainders first. Equal ones go by a hash, so that who has one more stays the same while others come and go.
  const order = members
    .map(({ name }, index) => ({ index, remainder: (ideal[index] ?? 0) % 1, hash: xxHash32(name, 0) }))
    .sort((a, b) => b.remainder - a.remainder || b.hash - a.hash || a.index - b.index);
  for (const { index } of order.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
