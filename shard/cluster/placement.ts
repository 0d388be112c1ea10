import { slotCount } from "../../shared/limits.js";
import { SlotScores, type Seats } from "./slot-scores.js";

export interface PlacementMember {
  name: string;
  /** Relative share of slots, greater than 0. */
  weight: number;
}

/** Slots between two yields to the event loop. With a thousand members that is a fifth of a millisecond. */
const slotsAtOnce = 64;

/**
 * Computes which member should own each slot by bounded weighted rendezvous (shared/README.md, "Placement"). Pure: equal members and pins
 * give equal maps in every process. A generator, so that other work can run between its steps.
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

/** Runs `placeSlots` in one go. */
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

/**
 * Most, usual and least slots of a member, without pinned slots. The sum of the maxima is at least the number of slots, so there is always
 * room.
 */
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
 * Gives members below their minimum the best-scoring slots of members above their usual share. This happens only with small shares, so
 * elsewhere slots stay when a member joins or leaves.
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
