import type { Arrival } from "./arrival.js";

/** What the receiver's process is started with. */
export interface Plan {
  readonly ports: number;
  /** Attempts at one event that are spoiled on purpose. */
  readonly maxFailures: number;
  /** A part of those are hangs, of 10 s each. */
  readonly hangs: number;
}

export type Order = "down" | "up";

export type Report =
  | { readonly kind: "listening"; readonly ports: readonly number[] }
  | { readonly kind: "done"; readonly order: Order }
  | { readonly kind: "arrived"; readonly name: string; readonly arrival: Arrival }
  | { readonly kind: "fault"; readonly sentence: string };
