import type { Tone } from "./tone.js";

/** Returns the colour of a used quota: a warning from 80 %, and bad when nothing is left. Pure. */
export function usageTone(used: number, quota: number): Tone {
  if (used >= quota) return "bad";
  return used >= quota * 0.8 ? "warn" : "good";
}
