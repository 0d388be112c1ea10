import stringWidth from "string-width";
import { plain } from "./plain.js";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null;
  /** Right alignment, for numbers. */
  readonly align?: "right";
  /** Never cut, because people copy the value into the next command. */
  readonly whole?: true;
}

const gap = "  ";
/** Minimum width of a column. */
const narrowest = 6;
/** A column narrower than this is omitted, so that the others stay readable. */
const readable = 10;

/**
 * Formats rows below their titles. If `width` terminal columns do not suffice, the last columns are omitted and texts are cut. Lines have
 * no trailing blanks.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number | undefined): string {
  const cells = rows.map((row) => columns.map((column) => plain(String(column.of(row) ?? ""))));
  const complete = [columns.map(({ title }) => title), ...cells];
  const wanted = columns.map((_, i) => Math.max(...complete.map((line) => stringWidth(line[i] ?? ""))));
  const shown = width === undefined ? columns.length : shownColumns(columns, wanted, width);
  const all = complete.map((line) => line.slice(0, shown));
  const natural = wanted.slice(0, shown);
  const cuttable = columns.map(({ whole }) => whole !== true);
  const widths = width === undefined ? natural : fit(natural, width - gap.length * (shown - 1), cuttable);
  return all
    .map((line) =>
      line
        .map((cell, i) => pad(cell, widths[i] ?? 0, columns[i]?.align))
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

/** Returns how many leading columns fit at a readable width, at least one. */
function shownColumns<Row>(columns: readonly Column<Row>[], wanted: readonly number[], width: number): number {
  let used = -gap.length;
  const shown = columns.findIndex(({ whole }, i) => {
    const natural = wanted[i] ?? 0;
    used += gap.length + (whole === true ? natural : Math.min(natural, readable));
    return used > width;
  });
  return shown < 0 ? columns.length : Math.max(shown, 1);
}

/** Narrows the widest column that may be cut until all fit, or all are at the minimum. */
export function fit(natural: readonly number[], room: number, cuttable: readonly boolean[] = natural.map(() => true)): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const widest = widths.reduce((found, one, i) => (cuttable[i] === true && one > (widths[found] ?? 0) ? i : found), -1);
    if (widest < 0 || (widths[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Cuts a text that is too wide and marks the cut. */
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
