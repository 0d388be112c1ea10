import type { Gateway } from "../test/harness/gateway.js";
import type { Comparison } from "./compare.js";
import type { LoadGenerator } from "./load/load-generator.js";

export interface Findings {
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** What is asked, in a phrase. */
  readonly about: string;
  /** Measures a gateway of its own; stops what it starts. Rejects when a measurement cannot count, never because it is slow. */
  run(gateway: Gateway, load: LoadGenerator, signal: AbortSignal): Promise<Findings>;
}
