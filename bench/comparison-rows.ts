import type { Comparison, Measurement } from "./compare.js";
import { spread, type Spread } from "./spread.js";

/** The result of all rounds of one target. */
export interface ComparisonRow {
  what?: string;
  target: string;
  connections: number;
  requestsPerSecond: Spread;
  mebibytesPerSecond: Spread;
  p50Ms: Spread;
  p99Ms: Spread;
  cpuMicrosPerRequest: Spread;
  loadCpuShare: Spread;
  /** Ratio of the product to this baseline, round by round; absent for the product itself. */
  speedRatio?: Spread;
  cpuRatio?: Spread;
}

export function comparisonRows({ what, connections, rounds }: Comparison): ComparisonRow[] {
  const [product, ...baselines] = Object.keys(rounds[0] ?? {}).map((target) => ({
    target,
    results: rounds.flatMap((round) => round[target] ?? []),
  }));
  if (product === undefined) return [];
  const row = ({ target, results }: typeof product): ComparisonRow => {
    const of = (read: (result: Measurement) => number): Spread => spread(results.map(read));
    return {
      ...(what !== undefined && { what }),
      target,
      connections,
      requestsPerSecond: of((result) => result.requestsPerSecond),
      mebibytesPerSecond: of((result) => result.bytesPerSecond / 1024 / 1024),
      p50Ms: of((result) => result.p50Ms),
      p99Ms: of((result) => result.p99Ms),
      cpuMicrosPerRequest: of((result) => result.cpuMicrosPerRequest),
      loadCpuShare: of((result) => result.loadCpuShare),
    };
  };
  const ratio = (of: (result: Measurement) => number, baseline: typeof product): Spread =>
    spread(product.results.map((result, round) => of(result) / of(baseline.results[round] ?? result)));
  return [
    row(product),
    ...baselines.map((baseline) => ({
      ...row(baseline),
      speedRatio: ratio((result) => result.requestsPerSecond, baseline),
      cpuRatio: ratio((result) => result.cpuMicrosPerRequest, baseline),
    })),
  ];
}
