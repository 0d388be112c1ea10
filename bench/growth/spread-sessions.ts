import { xxHash32 } from "js-xxhash";
import { slotCount } from "../../shared/limits.js";

/** Returns the number of sessions in each slot for random ids. Every run returns the same numbers. */
export function spreadSessions(sessions: number): Uint32Array {
  const counts = new Uint32Array(slotCount);
  for (let i = 0; i < sessions; i += 1) {
    const slot = xxHash32(`session ${i}`, 0) % slotCount;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts;
}
