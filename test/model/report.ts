import type { FaultKind } from "./faults.js";
import type { Guard } from "./guards.js";
import type { Truth } from "./truth.js";

/** What a run has done. */
export interface Report {
  readonly seed: number;
  readonly steps: number;
  /** Of virtual time. */
  readonly seconds: number;
  /** Faults, then calm, so many times. */
  readonly rounds: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Answers of Redis that were lost: what had been asked was asked again. */
  readonly repeats: number;
  readonly commands: Truth["counts"];
}

/** One line. */
export function reportLine({ seed, steps, seconds, rounds, faults, repeats, commands }: Report): string {
  const kinds = [...faults].sort(([one], [other]) => (one < other ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`);
  const calls = Object.entries(commands).map(([what, count]) => `${what} ${count}`);
  return `model: seed ${seed}, ${steps} steps, ${Math.round(seconds)} s, ${rounds} rounds; faults: ${kinds.join(", ")}, repeats ${repeats}; ${calls.join(", ")}`;
}

/** One line. */
export function guardsLine(caught: ReadonlyMap<Guard, { readonly what: string }>): string {
  return `model without one guard: ${[...caught].map(([guard, { what }]) => `${guard}: ${what}`).join("; ")}`;
}
