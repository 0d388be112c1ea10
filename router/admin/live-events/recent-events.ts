import type { EventRow } from "./stored-events.js";

/** The newest events in memory, shared by all streams. A stream that falls behind the oldest has lost events. */
export class RecentEvents {
  private rows: EventRow[] = [];
  /** Number of events that were dropped before the oldest one here. */
  private gone = 0;

  constructor(private readonly most: number) {}

  /** Position after the newest event. */
  get end(): number {
    return this.gone + this.rows.length;
  }

  add(rows: readonly EventRow[]): void {
    this.rows.push(...rows);
    // Trims in batches, so that not every row moves all others.
    if (this.rows.length < this.most * 1.25) return;
    this.gone += this.rows.length - this.most;
    this.rows = this.rows.slice(-this.most);
  }

  /** Returns at most `count` events from a position, or `undefined` if they were dropped. */
  from(place: number, count: number): readonly EventRow[] | undefined {
    if (place < this.gone) return undefined;
    return this.rows.slice(place - this.gone, place - this.gone + count);
  }
}
