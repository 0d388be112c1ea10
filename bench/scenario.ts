import type { Gateway, GatewayOptions } from "../test/harness/gateway.js";
import type { Bar } from "./bar.js";
import type { Chart } from "./chart/chart.js";
import type { Comparison } from "./compare.js";
import type { Figure } from "./figure.js";
import type { LoadGenerator } from "./load/load-generator.js";
import type { ProfileSummary } from "./profile/profile-summary.js";
import type { Size } from "./size.js";

/** Result of a scenario: rounds of the product and its baselines, a table of figures, or both. */
export interface Findings {
  /** Each comparison gets a chart. */
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly Figure[];
  /** The value of each bar by its name: one number, or one for each round. */
  readonly values?: Readonly<Record<string, number | readonly number[]>>;
  /** Further charts. */
  readonly charts?: readonly Chart[];
  /** Profiles of where the time went; needed where a bar is missed. */
  readonly profiles?: readonly ProfileSummary[];
  readonly notes: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** The scenario's question, in a phrase. */
  readonly about: string;
  readonly bars?: readonly Bar[];
  /** What the quick size reduces, in a phrase; absent: the scenario has one size. */
  readonly quick?: string;
  /** Processes of its gateway; default: a router and two shards. */
  readonly gateway?: Omit<GatewayOptions, "from">;
  /** Returns a sentence about a missing feature of the machine; the scenario is skipped then. */
  lacks?(): Promise<string | undefined>;
  /** Measures a gateway of its own and stops what it starts. Rejects when a measurement is invalid, never because it is slow. */
  run(gateway: Gateway, load: LoadGenerator, signal: AbortSignal, size: Size): Promise<Findings>;
}
