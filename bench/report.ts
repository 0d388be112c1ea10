import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Comparison, Measurement } from "./compare.js";
import type { Findings, Scenario } from "./scenario.js";
import { spread, spreadText, type Spread } from "./spread.js";

/** Where reports are kept: the checkout's bench/results, from dist/bench. */
const folder = fileURLToPath(new URL("../../bench/results", import.meta.url));

interface Row {
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

/** Writes `bench/results/<name>.json` and returns the report as Markdown. */
export async function report({ name, about }: Scenario, { comparisons, notes }: Findings): Promise<string> {
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? "", node: process.version, system: `${process.platform} ${process.arch}` };
  const rows = comparisons.flatMap(rowsOf);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ scenario: name, about, date: new Date().toISOString(), machine, notes, rows, comparisons }, undefined, 2)}\n`);
  return [
    `## ${name}: ${about}`,
    "",
    `${machine.cores} cores (${machine.cpu}), Node ${machine.node}, ${new Date().toISOString().slice(0, 10)}; ${notes.join("; ")}.`,
    "Median (least to most) of the rounds. Ratios are the product by the baseline in the same round: speed above 1 is faster, CPU above 1 costs more.",
    "",
    "| connections | server | req/s | MiB/s | p50 ms | p99 ms | CPU µs/req | load CPU | speed ratio | CPU ratio |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows.map(line),
  ].join("\n");
}

function rowsOf({ connections, rounds }: Comparison): Row[] {
  const [product, ...baselines] = Object.keys(rounds[0] ?? {}).map((target) => ({ target, results: rounds.flatMap((round) => round[target] ?? []) }));
  if (product === undefined) return [];
  const row = ({ target, results }: typeof product): Row => {
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

function line(row: Row): string {
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
