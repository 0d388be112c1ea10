import type { Gateway, GatewayOptions } from "../test/harness/gateway.js";
import type { Bar } from "./bar.js";
import type { Chart } from "./chart/chart.js";
import type { Comparison } from "./compare.js";
import type { Figure } from "./figure.js";
import type { LoadGenerator } from "./load/load-generator.js";
import type { ProfileSummary } from "./profile/profile-summary.js";
import type { Size } from "./size.js";

/** What a scenario found: rounds of the product beside its baselines, or a table of figures, or both. */
export interface Findings {
  /** Each gets a chart. */
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly Figure[];
  /** For each of the scenario's bars, by its name, what is judged: one number, or one for each round. */
  readonly values?: Readonly<Record<string, number | readonly number[]>>;
  /** Further charts. */
  readonly charts?: readonly Chart[];
  /** Where the time went; wanted where a bar is missed. */
  readonly profiles?: readonly ProfileSummary[];
  readonly notes: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** What is asked, in a phrase. */
  readonly about: string;
  readonly bars?: readonly Bar[];
  /** What the quick size has less of, in a phrase; absent: the scenario has one size. */
  readonly quick?: string;
  /** What its gateway consists of; default: a router and two shards. */
  readonly gateway?: Omit<GatewayOptions, "from">;
  /** A sentence that says what the machine lacks for it: the scenario is left out then. */
  lacks?(): Promise<string | undefined>;
  /** Measures a gateway of its own; stops what it starts. Rejects when a measurement cannot count, never because it is slow. */
  run(gateway: Gateway, load: LoadGenerator, signal: AbortSignal, size: Size): Promise<Findings>;
}
