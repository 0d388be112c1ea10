import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { BarChart, LineChart } from "../../../../bench/chart/chart.js";
import { drawCharts } from "../../../../bench/chart/draw-charts.js";

const bars: BarChart = {
  kind: "bars",
  title: 'warm <media> & "more"',
  unit: "requests/s",
  groups: [
    {
      name: "16 clients",
      limit: { value: 1_800, name: "bar 0.90" },
      bars: [
        { series: "Trunkline", value: 1_900, min: 1_700, max: 2_000 },
        { series: "bare", value: 2_000 },
      ],
    },
    {
      name: "256 clients",
      bars: [
        { series: "Trunkline", value: 1_000 },
        { series: "bare", value: 1_500 },
      ],
    },
  ],
};

const startedAt = Date.UTC(2026, 10, 21, 12) / 1_000;

function lines(points: readonly (readonly [number, number])[]): LineChart {
  return { kind: "lines", title: "chunks", unit: "1/s", x: "time", series: [{ name: "memory", points }] };
}

describe("drawCharts", () => {
  it("is one picture with all charts below each other", async () => {
    const one = await sharp(Buffer.from(drawCharts([bars]))).metadata();
    const both = await sharp(
      Buffer.from(
        drawCharts([
          bars,
          lines([
            [startedAt, 1],
            [startedAt + 60, 2],
          ]),
        ]),
      ),
    ).metadata();
    expect(both.width).toBe(one.width);
    expect(both.height).toBeGreaterThan(one.height + 200);
  });
  it("writes names as text, never as markup", () => {
    const svg = drawCharts([bars]);
    expect(svg).toContain("warm &lt;media&gt; &amp; &quot;more&quot;");
    expect(svg).not.toContain("<media>");
  });
  it("draws bars as long as their values and the limit between them", () => {
    const svg = drawCharts([bars]);
    const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="17"/g)].map(([, width]) => Number(width));
    const [product = 0, baseline = 0] = widths;
    expect(widths).toHaveLength(4);
    expect(product / baseline).toBeCloseTo(0.95, 2);
    const [, left = ""] = /<rect x="([\d.]+)" y="[\d.]+" width="[\d.]+" height="17"/.exec(svg) ?? [];
    const [, limit = ""] = /x1="([\d.]+)"[^>]*class="limit"/.exec(svg) ?? [];
    expect((Number(limit) - Number(left)) / baseline).toBeCloseTo(0.9, 2);
  });
  it("says values with their range", () => {
    expect(drawCharts([bars])).toContain("1,900 (1,700–2,000)");
  });
  it("leaves a gap where a value is not finite", () => {
    const svg = drawCharts([
      lines([
        [startedAt, 1],
        [startedAt + 15, 2],
        [startedAt + 30, Number.NaN],
        [startedAt + 45, 1],
        [startedAt + 60, 2],
      ]),
    ]);
    expect(/ d="([^"]*)"/.exec(svg)?.[1]?.match(/[ML]/g)?.join("")).toBe("MLML");
    expect(svg).not.toContain("NaN");
  });
  it.each<[string, LineChart]>([
    ["no points", lines([])],
    ["one point", lines([[startedAt, 5]])],
    [
      "only zeros",
      lines([
        [startedAt, 0],
        [startedAt + 60, 0],
      ]),
    ],
  ])("is a picture with %s", async (_what, chart) => {
    const svg = drawCharts([chart]);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect((await sharp(Buffer.from(svg)).metadata()).format).toBe("svg");
  });
  it("shows instants in UTC and names the few places that were measured", () => {
    expect(
      drawCharts([
        lines([
          [startedAt, 1],
          [startedAt + 600, 2],
        ]),
      ]),
    ).toContain(">12:05<");
    expect(
      drawCharts([
        lines([
          [startedAt + 18_000, 1],
          [startedAt + 18_600, 2],
        ]),
      ]),
    ).toContain(">17:05<");
    const shards: LineChart = {
      ...lines([
        [1, 10],
        [2, 20],
        [4, 30],
      ]),
      x: { name: "shards" },
    };
    expect([...drawCharts([shards]).matchAll(/text-anchor="middle">([^<]+)</g)].map(([, text]) => text)).toEqual(["1", "2", "4", "shards"]);
  });
});
