import { styleText } from "node:util";
import { safe, safeJson } from "./plain.js";
import { table, type Column } from "./table.js";

export type Style = Parameters<typeof styleText>[0];

/** The part of a terminal stream that the screen uses. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Writes a command's output: the result to `out` and messages to `err`, so that a pipe receives only the result. */
export class Screen {
  private lastProgress = "";

  constructor(
    private readonly out: Out,
    private readonly err: Out,
    /** Prints one JSON document, or a line of JSON per result, instead of text. */
    readonly json: boolean,
    readonly colored: boolean,
  ) {}

  /** Prints the result as JSON or text. */
  show(document: unknown, text: () => string): void {
    this.line(this.json ? safeJson(document, 2) : text());
  }

  /** Prints one of many results on a line of its own. */
  showLine(document: unknown, text: () => string): void {
    this.line(this.json ? safeJson(document) : text());
  }

  line(text: string): void {
    this.out.write(`${safe(text)}\n`);
  }

  /** Prints a message to `err`. */
  say(text: string): void {
    this.err.write(`${safe(text)}\n`);
  }

  /** Rewrites one line of a terminal; elsewhere prints a line for each change. */
  progress(text: string): void {
    if (text === this.lastProgress) return;
    this.lastProgress = text;
    if (this.err.isTTY === true) this.err.write(`\r\u001b[K${safe(text)}`);
    else this.err.write(`${safe(text)}\n`);
  }

  /** Ends the line of `progress`. */
  endProgress(): void {
    if (this.err.isTTY === true) this.err.write("\n");
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
    return table(columns, rows, this.out.isTTY === true ? (this.out.columns ?? 80) : undefined);
  }

  style(style: Style, text: string): string {
    return this.colored ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** `NO_COLOR` (no-color.org) and `FORCE_COLOR` decide; otherwise the terminal's abilities do. */
export function wantsColor(environment: Readonly<Record<string, string | undefined>>, out: Pick<Out, "isTTY">): boolean {
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  if ((environment["FORCE_COLOR"] ?? "") !== "") return true;
  return out.isTTY === true && environment["TERM"] !== "dumb";
}
