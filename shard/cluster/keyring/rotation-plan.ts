import type { SealedText } from "../../../shared/cluster/keyring/sealed-texts.js";
import { sealingKey } from "../../../shared/config/key-ring.js";

/** A rotation is passes over all slots: counting what each key has sealed, and sealing anew what another than the chosen one has. */
export type Phase = "counting" | "resealing";

/** After a count: the texts under each key; of the passes before, how many there were that sealed anew, and how many texts did not open in the last of them. */
export interface Counted {
  readonly found: ReadonlyMap<string, number>;
  readonly sealing: string;
  readonly passes: number;
  readonly failed: number;
}

/** A process that goes on sealing with an old key must not keep all others at work. */
export const passesMax = 5;

/** `old`: texts to seal anew. None are left at the end, but for those that do not open, and those of a process that does not follow. Pure. */
export function afterCount({ found, sealing, passes, failed }: Counted): { next: "resealing"; old: number } | { next: "end"; old: number } {
  const old = [...found].reduce((sum, [id, count]) => (id === sealing ? sum : sum + count), 0);
  const isHopeless = passes > 0 && old <= failed;
  return { next: old === 0 || isHopeless || passes >= passesMax ? "end" : "resealing", old };
}

/** How many of these texts each key has sealed. */
export function tally(texts: readonly Pick<SealedText, "sealed">[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { sealed } of texts) {
    const id = sealingKey(sealed);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
