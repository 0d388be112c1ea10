import type { MemberRow } from "../../api/operator-rows.js";

/** The most slots that each member had while it was draining; whoever is not draining is forgotten. Pure. */
export function drainStarts(before: ReadonlyMap<string, number>, rows: readonly MemberRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.filter(({ state }) => state === "draining").map(({ name, slots }) => [name, Math.max(before.get(name) ?? 0, slots ?? 0)]),
  );
}
