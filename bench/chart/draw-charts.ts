import { drawBars } from "./bars.js";
import type { Chart } from "./chart.js";
import { drawLines } from "./lines.js";
import { element, type Drawing } from "./svg.js";
import { style, width } from "./theme.js";

/**
 * Returns an SVG document with the charts one below the other. It has no scripts and no external files, and follows the reader's light or
 * dark scheme.
 */
export function drawCharts(charts: readonly Chart[]): string {
  let y = 0;
  const placed = charts.map((chart) => {
    const { height, content } = drawn(chart);
    const at = element("g", { transform: `translate(0 ${y})` }, content);
    y += height;
    return at;
  });
  const title = element("title", {}, [{ text: charts.map((chart) => chart.title).join("; ") }]);
  return `${element("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${y}`, width, height: y, role: "img" }, [title, element("style", {}, [style]), ...placed])}\n`;
}

function drawn(chart: Chart): Drawing {
  switch (chart.kind) {
    case "bars":
      return drawBars(chart);
    case "lines":
      return drawLines(chart);
    default:
      throw new Error(`unknown chart ${JSON.stringify(chart satisfies never)}`);
  }
}
