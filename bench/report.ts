import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { comparisonRows, comparisonTable } from "./comparison-table.js";
import { distribution, type Figure } from "./figure.js";
import { figureTable } from "./figure-table.js";
import { scaleNotes } from "./scale.js";
import { spread } from "./spread.js";
import type { Findings, Scenario } from "./scenario.js";

/** Where reports are kept: the checkout's bench/results, from dist/bench. */
const folder = fileURLToPath(new URL("../../bench/results", import.meta.url));

/** Writes `bench/results/<name>.json`, but not of a mere try at a smaller size, and returns the report as Markdown. */
export async function report({ name, about }: Scenario, { comparisons = [], figures = [], notes }: Findings): Promise<string> {
  // Above the number of cores others were at work too: walls are longer then, CPU is not.
  const machine = { loadAverage: Number((loadavg()[1] ?? 0).toFixed(1)), cores: cpus().length, cpu: cpus()[0]?.model ?? "", node: process.version, system: `${process.platform} ${process.arch}` };
  const rows = comparisons.flatMap(comparisonRows);
  const date = new Date().toISOString();
  const results = { scenario: name, about, date, machine, notes, ...(rows.length > 0 && { rows, comparisons }), ...(figures.length > 0 && { figures: figures.map(stored) }) };
  await mkdir(folder, { recursive: true });
  if (scaleNotes().length === 0) await writeFile(join(folder, `${name}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
  return [
    `## ${name}: ${about}`,
    "",
    `${machine.cores} cores (${machine.cpu}), load average ${machine.loadAverage}, Node ${machine.node}, ${date.slice(0, 10)}; ${[...notes, ...scaleNotes()].join("; ")}.`,
    ...(rows.length > 0 ? comparisonTable(rows) : []),
    ...(figures.length > 0 ? ["", ...figureTable(figures)] : []),
  ].join("\n");
}

/** The samples in one line of text: thousands of lines of JSON would bury the figures. */
function stored({ value, ...figure }: Figure): object {
  if (typeof value === "number") return { ...figure, value };
  if ("rounds" in value) return { ...figure, ...spread(value.rounds), rounds: value.rounds };
  return { ...figure, ...distribution(value.samples), samples: value.samples.map((sample) => Number(sample.toPrecision(6))).join(" ") };
}
