import type { ComparisonRow } from "../comparison-rows.js";
import { spreadText } from "../spread.js";

/** Returns Markdown lines. */
export function comparisonTable(rows: readonly ComparisonRow[]): string[] {
  return [
    "Median (least to most) of the rounds. Ratios are the product by the baseline in the same round: speed above 1 is faster, CPU above 1 costs more.",
    "",
    "| connections | server | req/s | MiB/s | p50 ms | p99 ms | CPU µs/req | load CPU | speed ratio | CPU ratio |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows.map(line),
  ];
}

function line(row: ComparisonRow): string {
  const cells = [
    row.what === undefined ? String(row.connections) : `${row.what}, ${row.connections}`,
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
