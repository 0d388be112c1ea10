import { setTimeout as sleep } from "node:timers/promises";
import type { LoadGenerator } from "./load/load-generator.js";
import type { LoadResult, PlannedRequest } from "./load/plan.js";
import { requireSameResponse, type Target } from "./target.js";

/** The result of one target under load in one round. */
export interface Measurement extends LoadResult {
  /** CPU time of the target's process per request. Unlike the speed, it hardly depends on other work on the machine. */
  readonly cpuMicrosPerRequest: number;
}

/** One round: each target once, in close succession, by target name. */
export type Round = Readonly<Record<string, Measurement>>;

export interface Comparison {
  /** Name of the comparison, for scenarios with several. */
  readonly what?: string;
  readonly connections: number;
  readonly rounds: readonly Round[];
}

export interface ComparePlan {
  /** The product first, then its baselines. */
  readonly targets: readonly Target[];
  readonly lanes: readonly (readonly PlannedRequest[])[];
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  /** False: bodies are equal, but headers may differ. */
  readonly sameHeaders?: boolean;
}

/**
 * Alternates between targets, so that other work on the machine affects all of them. The first target changes from round to round. Each
 * target is warmed up first.
 */
export async function compare(
  load: LoadGenerator,
  { targets, lanes, connections, rounds, seconds, sameHeaders = true }: ComparePlan,
): Promise<Comparison> {
  for (const request of lanes[0] ?? []) await requireSameResponse(targets, request, sameHeaders);
  for (const target of targets) {
    await target.prepare?.();
    await load.run({ origin: target.origin, connections, lanes, seconds: Math.min(warmUpSeconds, seconds) });
  }
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = round % targets.length;
    const measured: Record<string, Measurement> = {};
    for (const target of [...targets.slice(begin), ...targets.slice(0, begin)]) {
      await target.prepare?.();
      // The aftermath of the previous load (closing connections, garbage) must not count here.
      await sleep(settleMs);
      const before = await target.cpuSeconds();
      const result = await load.run({ origin: target.origin, connections, lanes, seconds });
      const cpuMicrosPerRequest = (((await target.cpuSeconds()) - before) * 1e6) / result.requests;
      measured[target.name] = { ...result, cpuMicrosPerRequest };
    }
    done.push(measured);
  }
  return { connections, rounds: done };
}

/** Returns the ratio of one target's requests a second to another's, round by round. */
export function speedRatios({ rounds }: Comparison, product: string, baseline: string): number[] {
  return rounds.map((round) => (round[product]?.requestsPerSecond ?? Number.NaN) / (round[baseline]?.requestsPerSecond ?? Number.NaN));
}

/** Returns the ratio of one target's CPU per request to another's, round by round. */
export function cpuRatios({ rounds }: Comparison, product: string, baseline: string): number[] {
  return rounds.map((round) => (round[product]?.cpuMicrosPerRequest ?? Number.NaN) / (round[baseline]?.cpuMicrosPerRequest ?? Number.NaN));
}

const warmUpSeconds = 2;
const settleMs = 150;
