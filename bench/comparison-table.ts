import type { Comparison, Measurement } from "./compare.js";
import { spread, spreadText, type Spread } from "./spread.js";

export interface ComparisonRow {
  target: string;
  connections: number;
  requestsPerSecond: Spread;
  mebibytesPerSecond: Spread;
  p50Ms: Spread;
  p99Ms: Spread;
  cpuMicrosPerRequest: Spread;
  loadCpuShare: Spread;
  /** The product by this baseline, round by round; absent for the product itself. */
  speedRatio?: Spread;
  cpuRatio?: Spread;
}

/** Markdown lines. */
export function comparisonTable(rows: readonly ComparisonRow[]): string[] {
  return [
    "Median (least to most) of the rounds. Ratios are the product by the baseline in the same round: speed above 1 is faster, CPU above 1 costs more.",
    "",
    "| connections | server | req/s | MiB/s | p50 ms | p99 ms | CPU µs/req | load CPU | speed ratio | CPU ratio |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows.map(line),
  ];
}

export function comparisonRows({ connections, rounds }: Comparison): ComparisonRow[] {
  const [product, ...baselines] = Object.keys(rounds[0] ?? {}).map((target) => ({ target, results: rounds.flatMap((round) => round[target] ?? []) }));
  if (product === undefined) return [];
  const row = ({ target, results }: typeof product): ComparisonRow => {
    const of = (read: (result: Measurement) => number): Spread => spread(results.map(read));
    return {
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

function line(row: ComparisonRow): string {
  const cells = [
    String(row.connections),
    row.target,
    spreadText(row.requestsPerSecond, 0),
    spreadText(row.mebibytesPerSecond, 0),
    spreadText(row.p50Ms, 2),
    spreadText(row.p99Ms, 2),
    spreadText(row.cpuMicrosPerRequest, 0),
    spreadText(row.loadCpuShare, 2),
    row.speedRatio === undefined ? "" : `**${spreadText(row.speedRatio, 2)}**`,
    row.cpuRatio === undefined ? "" : spreadText(row.cpuRatio, 2),
  ];
  return `| ${cells.join(" | ")} |`;
}
