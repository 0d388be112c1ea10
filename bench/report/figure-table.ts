import { figureText, type Figure } from "../figure.js";

/** Returns Markdown lines. */
export function figureTable(figures: readonly Figure[]): string[] {
  return [
    "| what | value | unit | how |",
    "|---|---|---|---|",
    ...figures.map((figure) => `| ${figure.what} | ${figureText(figure)} | ${figure.unit} | ${figure.how} |`),
  ];
}
