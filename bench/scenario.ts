import type { Gateway, GatewayOptions } from "../test/harness/gateway.js";
import type { Comparison } from "./compare.js";
import type { Figure } from "./figure.js";
import type { LoadGenerator } from "./load/load-generator.js";

/** What a scenario found: rounds of the product beside its baselines, or a table of figures, or both. */
export interface Findings {
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly Figure[];
  readonly notes: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** What is asked, in a phrase. */
  readonly about: string;
  /** What its gateway consists of; default: a router and two shards. */
  readonly gateway?: Omit<GatewayOptions, "from">;
  /** Measures a gateway of its own; stops what it starts. Rejects when a measurement cannot count, never because it is slow. */
  run(gateway: Gateway, load: LoadGenerator, signal: AbortSignal): Promise<Findings>;
}
