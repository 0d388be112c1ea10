import type { SealedText } from "../../../shared/cluster/keyring/sealed-texts.js";
import { sealingKey } from "../../../shared/config/key-ring.js";

/** A rotation makes passes over all slots: it counts texts by key, then reseals those under another key than the chosen one. */
export type Phase = "counting" | "resealing";

/** Result of a count: texts under each key, number of resealing passes so far, and texts that did not open in the last pass. */
export interface Counted {
  readonly found: ReadonlyMap<string, number>;
  readonly sealing: string;
  readonly passes: number;
  readonly failed: number;
}

/** Bounds the passes: a process that keeps sealing with an old key must not keep all others busy. */
export const passesMax = 5;

/**
 * Decides what follows a count. `old`: texts to reseal. At the end only texts that do not open, or that a lagging process has sealed,
 * remain. Pure.
 */
export function afterCount({ found, sealing, passes, failed }: Counted): { next: "resealing"; old: number } | { next: "end"; old: number } {
  const old = [...found].reduce((sum, [id, count]) => (id === sealing ? sum : sum + count), 0);
  const isHopeless = passes > 0 && old <= failed;
  return { next: old === 0 || isHopeless || passes >= passesMax ? "end" : "resealing", old };
}

/** Counts these texts by key. */
export function tally(texts: readonly Pick<SealedText, "sealed">[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { sealed } of texts) {
    const id = sealingKey(sealed);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
