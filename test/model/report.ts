import type { FaultKind } from "./faults.js";
import type { Guard } from "./guards.js";
import type { Truth } from "./truth.js";

/** The result of a run. */
export interface Report {
  readonly seed: number;
  readonly steps: number;
  /** Virtual seconds that passed. */
  readonly seconds: number;
  /** Rounds of faults followed by calm. */
  readonly rounds: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Lost responses of Redis, after which the request was sent again. */
  readonly repeats: number;
  readonly commands: Truth["counts"];
}

/** Returns the report as one line. */
export function reportLine({ seed, steps, seconds, rounds, faults, repeats, commands }: Report): string {
  const kinds = [...faults].sort(([one], [other]) => (one < other ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`);
  const calls = Object.entries(commands).map(([what, count]) => `${what} ${count}`);
  return `model: seed ${seed}, ${steps} steps, ${Math.round(seconds)} s, ${rounds} rounds; faults: ${kinds.join(", ")}, repeats ${repeats}; ${calls.join(", ")}`;
}

/** Returns the failures without each guard as one line. */
export function guardsLine(caught: ReadonlyMap<Guard, { readonly what: string }>): string {
  return `model without one guard: ${[...caught].map(([guard, { what }]) => `${guard}: ${what}`).join("; ")}`;
}
