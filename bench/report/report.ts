import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { drawCharts } from "../chart/draw-charts.js";
import { readResults, replaceFile, resultsFolder, type Results } from "../results.js";
import { barTable } from "./bar-table.js";
import { chartsOf } from "./charts-of.js";
import { scenarioSection } from "./scenario-section.js";

/**
 * Writes `bench/results/report.md` and a chart for each scenario from the stored results. Scenarios are in `order`, others follow. A
 * scenario without a full run is shown with its quick one.
 */
export async function writeReport(order: readonly string[]): Promise<void> {
  const [full, quick] = [await readResults("full"), await readResults("quick")];
  const names = [...new Set([...order, ...full.keys(), ...quick.keys()])];
  const sections: string[] = [];
  for (const name of names) {
    const results = full.get(name) ?? quick.get(name);
    if (results === undefined) continue;
    const picture = await writeCharts(results);
    sections.push(["", ...scenarioSection(results, picture)].join("\n"));
  }
  const bars = barTable(names, full, quick);
  await replaceFile(join(resultsFolder, "report.md"), `${[...head, ...bars, ...sections].join("\n")}\n`);
  await quoteBars(barTable(names, full));
}

const page = join(resultsFolder, "../README.md");
const [quoteFrom, quoteTo] = ["<!-- written by npm run bench -->", "<!-- end of what npm run bench writes -->"];

/** Updates the table between two marks of bench/README.md, with full sizes only. */
async function quoteBars(bars: readonly string[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const [from, to] = [text.indexOf(quoteFrom), text.indexOf(quoteTo)];
  if (from < 0 || to < from) return; // The page no longer has the table.
  const quoted = `${text.slice(0, from)}${[quoteFrom, "", ...bars, "", quoteTo].join("\n")}${text.slice(to + quoteTo.length)}`;
  if (quoted !== text) await replaceFile(page, quoted);
}

const head = [
  "# Load tests",
  "",
  "Written by `npm run bench` from the results beside it; `npm run bench -- <name>` measures one scenario at its full size, which is what counts. How the scenarios work: [bench/README.md](../README.md).",
  "",
];

/** Returns the file name of the picture, or undefined without data to draw. */
async function writeCharts(results: Results): Promise<string | undefined> {
  const name = `${results.scenario}.svg`;
  const charts = chartsOf(results);
  if (charts.length === 0) {
    await rm(join(resultsFolder, name), { force: true });
    return undefined;
  }
  await replaceFile(join(resultsFolder, name), drawCharts(charts));
  return name;
}
