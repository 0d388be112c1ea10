import { describe, expect, it } from "vitest";
import { dashboardCharts, pictures } from "../../../../bench/watch/dashboard-charts.js";
import type { Series } from "../../../../bench/watch/prometheus-server.js";

/** Returns the same series for every query, and records the queries. */
function answering(...series: Series[]): { asked: string[]; range: (query: string) => Promise<Series[]> } {
  const asked: string[] = [];
  return { asked, range: (query) => (asked.push(query), Promise.resolve(series)) };
}

describe("dashboardCharts", () => {
  it.each(pictures)(
    "draws the panels of $dashboard that deploy/docs/watch.md shows, with nothing left of Grafana's variables",
    async (picture) => {
      const prometheus = answering({ metric: {}, values: [[100, "1"]] });
      const charts = await dashboardCharts(prometheus, picture, 100, 120, 10);
      expect(charts.map(({ title }) => title)).toEqual(picture.panels);
      expect(prometheus.asked.filter((query) => query.includes("$"))).toEqual([]);
      expect(prometheus.asked.some((query) => query.includes("[40s]"))).toBe(true);
    },
  );

  it("scales to the unit at the axis, names lines by their labels, and leaves gaps where nothing was", async () => {
    const prometheus = answering(
      {
        metric: { member: "router-1" },
        values: [
          [100, "2000000"],
          [120, "4000000"],
        ],
      },
      { metric: { member: "router-2" }, values: [[100, "0"]] },
    );
    const [chart] = await dashboardCharts(prometheus, { dashboard: "media", panels: ["Bytes to clients"] }, 100, 120, 10);
    expect(chart).toEqual({
      kind: "lines",
      title: "Bytes to clients",
      unit: "MB/s",
      x: "time",
      series: [
        {
          name: "router-1",
          points: [
            [100, 2],
            [110, Number.NaN],
            [120, 4],
          ],
        },
      ],
    });
  });

  it("rejects a panel that the dashboard does not have", async () => {
    await expect(dashboardCharts(answering(), { dashboard: "media", panels: ["Nothing"] }, 0, 10, 10)).rejects.toThrow(
      'no panel "Nothing"',
    );
  });
});
