import type { Arrival } from "./arrival.js";

/** Arguments of the receiver's process. */
export interface Plan {
  readonly ports: number;
  /** Maximum number of attempts per event that fail on purpose. */
  readonly maxFailures: number;
  /** Share of the attempts that hang for 10 s each. */
  readonly hangs: number;
}

export type Order = "down" | "up";

export type Report =
  | { readonly kind: "listening"; readonly ports: readonly number[] }
  | { readonly kind: "done"; readonly order: Order }
  | { readonly kind: "arrived"; readonly name: string; readonly arrival: Arrival }
  | { readonly kind: "fault"; readonly sentence: string };
