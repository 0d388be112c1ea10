import { slotCount } from "../../shared/limits.js";
import { SlotScores, type Seats } from "./slot-scores.js";

export interface PlacementMember {
  name: string;
  /** Relative share of slots, above 0. */
  weight: number;
}

/** Slots between two points at which the event loop may have its turn. Of a thousand members that is a fifth of a millisecond. */
const slotsAtOnce = 64;

/**
 * Bounded weighted rendezvous (shared/README.md, "Placement"): which member should own each slot. Pure, as `scores` only remembers: the same members and pins
 * give the same map in every process, so there is no leader. A member gets no more slots than its share rounded up, and no less than three quarters of it, so that of a thousand
 * none stays empty; pinned slots come on top. Empty when there are no members. A generator: between its
 * steps other work may be done.
 */
export function* placeSlots(
  scores: SlotScores,
  members: readonly PlacementMember[],
  pins: ReadonlyMap<number, string>,
): Generator<undefined, readonly string[]> {
  if (members.length === 0) return [];
  const ordered = [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
  yield* scores.admit(ordered.map(({ name }) => name));
  const seats = seatsOf(scores, ordered);
  const columns: number[] = [];
  for (let slot = 0; slot < slotCount; slot += 1) {
    const pinned = scores.column(pins.get(slot) ?? "");
    const column = pinned >= 0 ? pinned : scores.best(slot, seats);
    if (pinned < 0) seats.room[column] = (seats.room[column] ?? 0) - 1;
    columns.push(column);
    if (slot % slotsAtOnce === slotsAtOnce - 1) yield;
  }
  const isPinned = (slot: number): boolean => scores.column(pins.get(slot) ?? "") >= 0;
  yield* fillUp(scores, seats, sharesOf(ordered), columns, isPinned);
  const names = new Map(ordered.map(({ name }) => [scores.column(name), name]));
  return columns.map((column) => names.get(column) ?? "");
}

/** `placeSlots` in one go. */
export function targetMap(
  members: readonly PlacementMember[],
  pins: ReadonlyMap<number, string>,
  scores = new SlotScores(),
): readonly string[] {
  const steps = placeSlots(scores, members, pins);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Slots that a member may have at most, has as a rule, and has at least; pins apart. The sum of the first is at least the number of slots, so there is always room. */
export interface Share {
  readonly name: string;
  readonly most: number;
  readonly usual: number;
  readonly least: number;
}

export function sharesOf(members: readonly PlacementMember[]): Share[] {
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  return members.map(({ name, weight }) => {
    const ideal = (slotCount * weight) / total;
    return { name, most: Math.ceil(ideal), usual: Math.floor(ideal), least: Math.floor((ideal * 3) / 4) };
  });
}

function seatsOf(scores: SlotScores, ordered: readonly PlacementMember[]): Seats {
  const seats = {
    room: new Int32Array(scores.width),
    weight: new Float64Array(scores.width),
    rank: new Int32Array(scores.width),
    isEven: ordered.every(({ weight }) => weight === ordered[0]?.weight),
  };
  const shares = sharesOf(ordered);
  ordered.forEach(({ name, weight }, rank) => {
    const column = scores.column(name);
    seats.room[column] = shares[rank]?.most ?? 0;
    seats.weight[column] = weight;
    seats.rank[column] = rank;
  });
  return seats;
}

/**
 * Members that have too few get, in the order of their names, those slots on which they score best of the members that have more than usual. Only where shares are of a few
 * slots there are any, so all others stay where they are when somebody comes or goes.
 */
function* fillUp(
  scores: SlotScores,
  seats: Seats,
  shares: readonly Share[],
  columns: number[],
  isPinned: (slot: number) => boolean,
): Generator<undefined, void> {
  const usual = new Int32Array(scores.width);
  for (const share of shares) usual[scores.column(share.name)] = share.usual;
  const counts = new Int32Array(scores.width);
  columns.forEach((column, slot) => {
    if (!isPinned(slot)) counts[column] = (counts[column] ?? 0) + 1;
  });
  for (const { name, least } of shares) {
    const column = scores.column(name);
    while ((counts[column] ?? 0) < least) {
      let [best, bestScore] = [-1, -Infinity];
      for (const [slot, owner] of columns.entries()) {
        if ((counts[owner] ?? 0) <= (usual[owner] ?? 0) || isPinned(slot)) continue;
        const score = scores.score(slot, column, seats);
        if (score > bestScore) [best, bestScore] = [slot, score];
      }
      if (best < 0) break;
      const giver = columns[best] ?? -1;
      counts[giver] = (counts[giver] ?? 0) - 1;
      counts[column] = (counts[column] ?? 0) + 1;
      columns[best] = column;
      yield;
    }
  }
}
