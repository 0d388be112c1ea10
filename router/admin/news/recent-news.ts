import type { NewsRow } from "./stored-news.js";

/** The newest news in memory, for all streams together: each reads at its own place, and one that falls behind the oldest has lost it. */
export class RecentNews {
  private rows: NewsRow[] = [];
  /** How many came before the oldest that is here. */
  private gone = 0;

  constructor(private readonly most: number) {}

  /** Behind the newest. */
  get end(): number {
    return this.gone + this.rows.length;
  }

  add(rows: readonly NewsRow[]): void {
    this.rows.push(...rows);
    // A quarter more, so that not every row moves all the others.
    if (this.rows.length < this.most * 1.25) return;
    this.gone += this.rows.length - this.most;
    this.rows = this.rows.slice(-this.most);
  }

  /** From a place on, `count` at most; `undefined` where that is gone. */
  from(place: number, count: number): readonly NewsRow[] | undefined {
    if (place < this.gone) return undefined;
    return this.rows.slice(place - this.gone, place - this.gone + count);
  }
}
