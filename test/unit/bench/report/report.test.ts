import { describe, expect, it } from "vitest";
import { readFigure, storedFigure, type Figure } from "../../../../bench/figure.js";
import { barTable } from "../../../../bench/report/bar-table.js";
import { chartsOf } from "../../../../bench/report/charts-of.js";
import { scenarioSection } from "../../../../bench/report/scenario-section.js";
import { resultsOf, type Results } from "../../../../bench/results.js";
import type { Scenario } from "../../../../bench/scenario.js";
import type { Size } from "../../../../bench/size.js";

const warm: Scenario = {
  name: "warm",
  about: "a warm path",
  quick: "1 round",
  bars: [{ name: "speed", unit: "", limit: { atLeast: 0.9 } }],
  run: () => Promise.reject(new Error("not run here")),
};

function results(size: Size, speed: number, scenario = warm): Results {
  return resultsOf(scenario, size, 12.4, { notes: ["a note"], values: { speed } });
}

describe("the report", () => {
  it("judges the full size and shows the quick one beside it", () => {
    const rows = barTable(["warm"], new Map([["warm", results("full", 0.95)]]), new Map([["warm", results("quick", 0.5)]]));
    expect(rows.at(-1)).toMatch(/^\| warm \| speed \| ≥ 0\.900 \| \*\*0\.950\*\* \| met \| [\d-]{10} \| 0\.500 \|$/);
  });
  it("says when there is only a quick one", () => {
    expect(barTable(["warm"], new Map(), new Map([["warm", results("quick", 0.5)]])).at(-1)).toMatch(
      /\| missed by 44\.4 % \| [\d-]{10}, quick size \|/,
    );
  });
  it("shows full sizes alone to bench/README.md", () => {
    expect(barTable(["warm", "cold"], new Map([["warm", results("full", 0.95)]]))).toEqual([
      "| scenario | what | bar | measured | verdict | run |",
      "| --- | --- | --- | --- | --- | --- |",
      expect.stringMatching(/^\| warm \| speed \| ≥ 0\.900 \| \*\*0\.950\*\* \| met \| [\d-]{10} \|$/),
    ]);
  });
  it("takes every run of a scenario with one size as full", () => {
    const { quick: _, ...only } = warm;
    expect(results("quick", 1, only).size).toBe("full");
    expect(results("quick", 1).notes).toContain("quick size: 1 round");
  });
  it("draws the bar beside what was measured", () => {
    expect(chartsOf(results("full", 0.95))).toMatchObject([
      { kind: "bars", unit: "ratio", groups: [{ name: "speed", limit: { value: 0.9 }, bars: [{ value: 0.95 }] }] },
    ]);
  });
  it("names the command that measured it", () => {
    expect(scenarioSection(results("quick", 1), "warm.svg").join("\n")).toMatch(
      /`npm run bench -- --quick warm`[^]*!\[warm\]\(warm\.svg\)/,
    );
  });
  it.each<Figure["value"]>([1.5, { rounds: [1, 2, 3] }, { samples: [1, 2, 3] }, { samples: [] }])("keeps a figure of %j", (value) => {
    const figure = { what: "sends", unit: "1/s", how: "counted", value };
    expect(readFigure(storedFigure(figure))).toEqual(figure);
  });
});
