import { xxHash32 } from "js-xxhash";
import { slotCount } from "../../shared/limits.js";

export interface PlacementMember {
  name: string;
  /** Relative share of slots, above 0. */
  weight: number;
}

/**
 * Bounded weighted rendezvous (shared/README.md, "Placement"): which member should own each slot. Pure: the same members and pins give the same map
 * in every process, so there is no leader. No member gets more than `ceil(4096 * weight / total)` slots, pins apart.
 * Empty when there are no members.
 */
export function targetMap(members: readonly PlacementMember[], pins: ReadonlyMap<number, string>): readonly string[] {
  if (members.length === 0) return [];
  const ordered = [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
  const total = ordered.reduce((sum, member) => sum + member.weight, 0);
  const room = ordered.map((member) => Math.ceil((slotCount * member.weight) / total));
  const names = new Set(ordered.map((member) => member.name));
  return Array.from({ length: slotCount }, (_, slot) => {
    const pinned = pins.get(slot);
    if (pinned !== undefined && names.has(pinned)) return pinned;
    const best = bestMember(ordered, room, slot);
    room[best] = (room[best] ?? 0) - 1;
    return ordered[best]?.name ?? "";
  });
}

/** Highest score among the members that still have room; pins may have used up what capacity there was, then the highest of all. */
function bestMember(members: readonly PlacementMember[], room: readonly number[], slot: number): number {
  let best = -1;
  let bestScore = -Infinity;
  let fallback = 0;
  let fallbackScore = -Infinity;
  members.forEach((member, index) => {
    const score = rendezvousScore(member, slot);
    if (score > fallbackScore) [fallback, fallbackScore] = [index, score];
    if ((room[index] ?? 0) > 0 && score > bestScore) [best, bestScore] = [index, score];
  });
  return best < 0 ? fallback : best;
}

/** Weighted rendezvous score `-w / ln(u)` with u in (0, 1) from the hash of name and slot. */
function rendezvousScore(member: PlacementMember, slot: number): number {
  const u = (xxHash32(`${member.name}/${slot}`, 0) + 1) / 4_294_967_297;
  return -member.weight / Math.log(u);
}
