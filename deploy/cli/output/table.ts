import stringWidth from "string-width";
import { plain } from "./plain.js";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null;
  /** Numbers stand below each other by their last digit. */
  readonly align?: "right";
}

const gap = "  ";
/** Narrower than this no column becomes. */
const narrowest = 6;

/** Rows below their titles, cut to `width` columns of a terminal; whole without one. No line has blanks at its end. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number | undefined): string {
  const cells = rows.map((row) => columns.map((column) => plain(String(column.of(row) ?? ""))));
  const all = [columns.map(({ title }) => title), ...cells];
  const natural = columns.map((_, i) => Math.max(...all.map((line) => stringWidth(line[i] ?? ""))));
  const widths = width === undefined ? natural : fit(natural, width - gap.length * (columns.length - 1));
  return all
    .map((line) =>
      line
        .map((cell, i) => pad(cell, widths[i] ?? 0, columns[i]?.align))
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

/** Takes from the widest column until all fit, or none can be narrower. */
export function fit(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The beginning of a text that is too wide, with a mark that something is missing. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, align: "right" | undefined): string {
  const shown = cut(text, width);
  const blanks = " ".repeat(Math.max(0, width - stringWidth(shown)));
  return align === "right" ? blanks + shown : shown + blanks;
}
