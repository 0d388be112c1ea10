import { element, label, type Drawing } from "./svg.js";
import { colour, textWidth, width } from "./theme.js";

const swatch = 12;
const rowHeight = 20;
const margin = 16;

/** Draws the title and the legend. A single series gets no legend. */
export function drawHead(title: string, series: readonly string[]): Drawing {
  const content = [label(margin, 24, title, { kind: "title" })];
  let [x, y] = [margin, 48];
  if (series.length < 2) return { height: 36, content };
  for (const [index, name] of series.entries()) {
    const needed = swatch + 6 + textWidth(name) + 18;
    if (x > margin && x + needed > width - margin) [x, y] = [margin, y + rowHeight];
    content.push(
      element("rect", { x, y: y - 10, width: swatch, height: swatch, rx: 2, fill: colour(index) }),
      label(x + swatch + 6, y, name),
    );
    x += needed;
  }
  return { height: y + 12, content };
}
