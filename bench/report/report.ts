import { rm } from "node:fs/promises";
import { join } from "node:path";
import { drawCharts } from "../chart/draw-charts.js";
import { readResults, replaceFile, resultsFolder, type Results } from "../results.js";
import { barTable } from "./bar-table.js";
import { chartsOf } from "./charts-of.js";
import { scenarioSection } from "./scenario-section.js";

/**
 * Writes `bench/results/report.md` and a chart for each scenario, from the kept results alone: a run of one scenario changes what is its own. `order` names
 * the scenarios; results of others (of a former version) follow. A scenario that never ran at full size stands there with its quick one.
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
  await replaceFile(join(resultsFolder, "report.md"), `${[...head, ...barTable(names, full, quick), ...sections].join("\n")}\n`);
}

const head = [
  "# Load tests",
  "",
  "Written by `npm run bench` from the results beside it; `npm run bench -- <name>` measures one scenario at its full size, which is what counts. How the scenarios work: [bench/README.md](../README.md).",
  "",
];

/** The picture's file name, or undefined when there is nothing to draw. */
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
