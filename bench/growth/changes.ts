import { slotCount } from "../../shared/limits.js";
import { placeSlots, targetMap, type PlacementMember } from "../../shard/cluster/placement.js";
import { SlotScores } from "../../shard/cluster/slot-scores.js";

export interface Balance {
  /** Slots of the emptiest and of the fullest member. */
  readonly least: number;
  readonly most: number;
}

export function balanceOf(members: readonly PlacementMember[]): Balance {
  const counts = new Map(members.map(({ name }) => [name, 0]));
  for (const owner of targetMap(members, new Map())) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const slots = [...counts.values()];
  return { least: Math.min(...slots), most: Math.max(...slots) };
}

/** Returns the share of slots that change their member when one joins. The minimum is the share of the new member. */
export function movedByJoin(members: readonly PlacementMember[]): { readonly share: number; readonly ideal: number } {
  const [before, after] = [members.slice(0, -1), members].map((some) => targetMap(some, new Map()));
  const moved = (before ?? []).filter((owner, slot) => owner !== after?.[slot]).length;
  return { share: moved / slotCount, ideal: 1 / members.length };
}

/** CPU time, because other work on the machine affects it least. */
export interface PlacementTime {
  /** Time of the whole placement. */
  readonly ms: number;
  /** Time of the longest step. The event loop may run other work between two steps. */
  readonly longestStepMs: number;
}

/** Measures the cost of one membership change for a shard that knows the others: a member leaves, or a new one joins. */
export function timeOfChange(members: readonly PlacementMember[], change: "first" | "leaves" | "joins"): PlacementTime {
  const scores = new SlotScores();
  const before = change === "first" ? [] : change === "joins" ? members.slice(0, -1) : members;
  const then = change === "leaves" ? members.slice(0, -1) : members;
  if (before.length > 0) targetMap(before, new Map(), scores);
  const steps = placeSlots(scores, then, new Map());
  const startedAt = cpuMs();
  let longestStepMs = 0;
  for (let at = startedAt; ; ) {
    const { done } = steps.next();
    const now = cpuMs();
    longestStepMs = Math.max(longestStepMs, now - at);
    at = now;
    if (done === true) return { ms: now - startedAt, longestStepMs };
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
