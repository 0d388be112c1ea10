import { setTimeout as sleep } from "node:timers/promises";
import type { LoadGenerator } from "./load/load-generator.js";
import type { LoadResult, PlannedRequest } from "./load/plan.js";
import { requireSameAnswer, type Target } from "./target.js";

/** One target under load for one round. */
export interface Measurement extends LoadResult {
  /** CPU time of the target's process by answered request. Unlike the speed, other work on the machine hardly changes it. */
  readonly cpuMicrosPerRequest: number;
}

/** One round: every target once, shortly after each other, by target name. */
export type Round = Readonly<Record<string, Measurement>>;

export interface Comparison {
  /** What is compared, when a scenario compares several things. */
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
  /** False: the bytes are the same, headers may differ. */
  readonly sameHeaders?: boolean;
}

/**
 * Alternates between targets, so that what else the machine does meets all of them; who begins changes from round to round.
 * Each target is warmed up first.
 */
export async function compare(
  load: LoadGenerator,
  { targets, lanes, connections, rounds, seconds, sameHeaders = true }: ComparePlan,
): Promise<Comparison> {
  for (const request of lanes[0] ?? []) await requireSameAnswer(targets, request, sameHeaders);
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
      // What the last load left behind (closing connections, garbage) must not count here.
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

/** Requests a second of one target by those of another, round by round. */
export function speedRatios({ rounds }: Comparison, product: string, baseline: string): number[] {
  return rounds.map((round) => (round[product]?.requestsPerSecond ?? Number.NaN) / (round[baseline]?.requestsPerSecond ?? Number.NaN));
}

/** CPU of a request of one target by that of another, round by round. */
export function cpuRatios({ rounds }: Comparison, product: string, baseline: string): number[] {
  return rounds.map((round) => (round[product]?.cpuMicrosPerRequest ?? Number.NaN) / (round[baseline]?.cpuMicrosPerRequest ?? Number.NaN));
}

const warmUpSeconds = 2;
const settleMs = 150;
