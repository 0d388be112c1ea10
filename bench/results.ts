import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import typia from "typia";
import { judge, type Judged } from "./bar.js";
import type { Chart } from "./chart/chart.js";
import { thinned } from "./chart/thin.js";
import type { Comparison } from "./compare.js";
import { comparisonRows, type ComparisonRow } from "./comparison-rows.js";
import { storedFigure, type StoredFigure } from "./figure.js";
import type { ProfileSummary } from "./profile/profile-summary.js";
import type { Findings, Scenario } from "./scenario.js";
import type { Size } from "./size.js";

/** One run of a scenario, as it is kept: the report is made of this alone. */
export interface Results {
  readonly scenario: string;
  readonly about: string;
  readonly date: string;
  /** Absent in what was kept before there were sizes: full. */
  readonly size?: Size;
  /** Wall time of the run, start and stop of the gateway included. */
  readonly seconds?: number;
  readonly machine: Machine;
  readonly notes: readonly string[];
  readonly bars?: readonly Judged[];
  readonly rows?: readonly ComparisonRow[];
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly StoredFigure[];
  readonly charts?: readonly Chart[];
  readonly profiles?: readonly ProfileSummary[];
}

export interface Machine {
  /** Over the last 5 minutes. Above the number of cores others were at work too: walls are longer then, CPU is not. */
  readonly loadAverage?: number;
  readonly cores: number;
  readonly cpu: string;
  readonly node: string;
  readonly system: string;
}

/** The checkout's bench/results, from dist/bench. */
export const resultsFolder = fileURLToPath(new URL("../../bench/results", import.meta.url));
/** A quick run never takes the place of a full one. */
const folders: Readonly<Record<Size, string>> = { full: resultsFolder, quick: join(resultsFolder, "quick") };

/** A scenario with only one size always runs at full size. */
export function resultsOf(
  { name, about, bars = [], quick }: Scenario,
  size: Size,
  seconds: number,
  { comparisons = [], figures = [], values = {}, charts = [], profiles = [], notes }: Findings,
): Results {
  const ran = quick === undefined ? "full" : size;
  const judged = judge(bars, values);
  return {
    scenario: name,
    about,
    date: new Date().toISOString(),
    size: ran,
    seconds: Math.round(seconds),
    machine: {
      loadAverage: Number((loadavg()[1] ?? 0).toFixed(1)),
      cores: cpus().length,
      cpu: cpus()[0]?.model ?? "",
      node: process.version,
      system: `${process.platform} ${process.arch}`,
    },
    notes: ran === "full" ? notes : [...notes, `quick size: ${quick}`],
    ...(judged.length > 0 && { bars: judged }),
    ...(comparisons.length > 0 && { rows: comparisons.flatMap(comparisonRows), comparisons }),
    ...(figures.length > 0 && { figures: figures.map(storedFigure) }),
    ...(charts.length > 0 && { charts: charts.map(thinned) }),
    ...(profiles.length > 0 && { profiles }),
  };
}

/** `bench/results/<name>.json`, or `bench/results/quick/<name>.json`. */
export async function writeResults(results: Results): Promise<void> {
  const folder = folders[results.size ?? "full"];
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, `${results.scenario}.json`), `${JSON.stringify(results, finite, 2)}\n`);
}

/** JSON would write `null`, and the mistake would show when the report is made. */
function finite(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${key} is ${value}`);
  return value;
}

/** All that are kept, by scenario. Rejects on a file that is none, naming it. */
export async function readResults(size: Size): Promise<ReadonlyMap<string, Results>> {
  const found = new Map<string, Results>();
  const names = await readdir(folders[size]).catch(() => []); // Nothing was ever kept.
  for (const name of names.filter((file) => file.endsWith(".json")).sort()) {
    const file = join(folders[size], name);
    try {
      const results = isResults(JSON.parse(await readFile(file, "utf8")));
      found.set(results.scenario, results);
    } catch (error) {
      throw new Error(`${file} is no result of a run`, { cause: error });
    }
  }
  return found;
}

/** Whoever reads it sees the former file or the new one, never half of it. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

const isResults = typia.createAssert<Results>();
