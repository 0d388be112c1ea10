import { limitText, verdict } from "../bar.js";
import { readFigure } from "../figure.js";
import { numberText } from "../number-text.js";
import type { ProfileShare, ProfileSummary } from "../profile/profile-summary.js";
import type { Results } from "../results.js";
import { judgedText } from "./bar-table.js";
import { comparisonTable } from "./comparison-table.js";
import { figureTable } from "./figure-table.js";

/** Returns one scenario as Markdown lines, for the report and for the terminal, which has no `picture`. */
export function scenarioSection(
  { scenario, about, date, size, seconds, machine, notes, bars = [], rows = [], figures = [], profiles = [] }: Results,
  picture?: string,
): string[] {
  const load = machine.loadAverage === undefined ? "" : `, load average ${machine.loadAverage}`;
  const lasted = seconds === undefined ? "" : `, ${seconds} s`;
  return [
    `## ${scenario}: ${about}`,
    "",
    `\`npm run bench -- ${size === "quick" ? "--quick " : ""}${scenario}\`, ${date.slice(0, 16).replace("T", " ")} UTC${lasted}; ${machine.cores} cores (${machine.cpu})${load}, Node ${machine.node}${notes.map((note) => `; ${note}`).join("")}.`,
    ...(picture === undefined ? [] : ["", `![${scenario}](${picture})`]),
    ...(bars.length === 0
      ? []
      : [
          "",
          "| what | bar | measured | verdict |",
          "|---|---|---|---|",
          ...bars.map((bar) => `| ${bar.name} | ${limitText(bar)} | **${judgedText(bar)}** | ${verdict(bar)} |`),
        ]),
    ...(rows.length === 0 ? [] : ["", ...comparisonTable(rows)]),
    ...(figures.length === 0 ? [] : ["", ...figureTable(figures.map(readFigure))]),
    ...profiles.flatMap((profile) => ["", ...profileLines(profile)]),
  ];
}

function profileLines({ what, seconds, busySeconds, modules, functions }: ProfileSummary): string[] {
  const line = (shares: readonly ProfileShare[]): string =>
    shares.map(({ where, share }) => `${where} ${numberText(share * 100)} %`).join(" · ");
  return [
    `Profile of ${what}: ${numberText(seconds)} s, busy for ${numberText(busySeconds)} s of them. Self time by module, of the busy time: ${line(modules)}.`,
    "",
    `By function: ${line(functions)}.`,
  ];
}
