import { styleText } from "node:util";
import { safe, safeJson } from "./plain.js";
import { table, type Column } from "./table.js";

export type Style = Parameters<typeof styleText>[0];

/** What a stream of the terminal has of what is needed here. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Where a command's words go: its result to `out`, what is said on the way to `err`, so that a pipe gets the result alone. */
export class Screen {
  private lastProgress = "";

  constructor(
    private readonly out: Out,
    private readonly err: Out,
    /** One document, or a line for each of a stream's, instead of words for people. */
    readonly json: boolean,
    readonly colored: boolean,
  ) {}

  /** The result: as JSON, or in words. */
  show(document: unknown, words: () => string): void {
    this.line(this.json ? safeJson(document, 2) : words());
  }

  /** One of many results, on a line of its own. */
  showLine(document: unknown, words: () => string): void {
    this.line(this.json ? safeJson(document) : words());
  }

  line(text: string): void {
    this.out.write(`${safe(text)}\n`);
  }

  /** Said on the way. */
  say(text: string): void {
    this.err.write(`${safe(text)}\n`);
  }

  /** Said again and again on one line of a terminal; elsewhere each time that it changes is a line. */
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

/** `NO_COLOR` (no-color.org) and `FORCE_COLOR` decide, then whether it is a terminal that can. */
export function wantsColor(environment: Readonly<Record<string, string | undefined>>, out: Pick<Out, "isTTY">): boolean {
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  if ((environment["FORCE_COLOR"] ?? "") !== "") return true;
  return out.isTTY === true && environment["TERM"] !== "dumb";
}
