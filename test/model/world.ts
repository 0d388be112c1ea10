import { Random } from "./random.js";

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** An event of a run that helps to explain a failure. */
export type Note = readonly [what: string, ...details: (string | number | boolean)[]];

const notesKept = 4_096;

/** Virtual time. Events run in the order of their time, then in the order of their scheduling. One event is one step. */
export class World {
  /** True milliseconds. Machines and Redis have their own clocks. */
  now = 0;
  steps = 0;
  /** Processes started so far. */
  lives = 0;
  readonly random: Random;
  /** Broken promise. A process that handles errors must not hide it. */
  violation: Error | undefined;
  /** The newest notes, with their times. */
  private readonly notes: (readonly [at: number, note: Note])[] = [];
  private noted = 0;
  private readonly heap: Event[] = [];
  private order = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  after(ms: number, run: () => void): void {
    this.push({ at: this.now + Math.max(0, ms), order: this.order++, run });
  }

  /** Runs events until the next one is later than `at`, or until `steps` are done. */
  runUntil(at: number, steps: number): void {
    for (let next = this.heap[0]; next !== undefined && next.at <= at && this.steps < steps; next = this.heap[0]) {
      this.pop();
      this.now = next.at;
      this.steps += 1;
      next.run();
      if (this.violation !== undefined) throw this.violation;
    }
    if (this.steps < steps) this.now = Math.max(this.now, at);
  }

  note(...note: Note): void {
    this.notes[this.noted++ % notesKept] = [this.now, note];
  }

  /** Returns the last notes, oldest first. */
  trace(count: number): string[] {
    const from = Math.max(0, this.noted - Math.min(count, notesKept));
    return Array.from({ length: this.noted - from }, (_, i) => {
      const [at, note] = this.notes[(from + i) % notesKept] ?? [0, ["?"]];
      return `${(at / 1_000).toFixed(3)} s  ${note.join(" ")}`;
    });
  }

  private push(event: Event): void {
    const { heap } = this;
    let place = heap.length;
    heap.push(event);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      let child = heap[below];
      const other = heap[below + 1];
      if (child !== undefined && other !== undefined && isBefore(other, child)) {
        child = other;
        below += 1;
      }
      if (child === undefined || isBefore(last, child)) break;
      heap[place] = child;
      place = below;
    }
    heap[place] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
