import { every } from "./every.js";

const sampleMs = 100;
/** Share of the worst lag that remains after each measurement: a tenth is left after two seconds. */
const kept = 0.89;

/** Measures the worst recent event-loop lag in milliseconds. Callers check it before they add work. */
export class LoopLag {
  private worst = 0;
  private dueAt = 0;
  private timer: NodeJS.Timeout | undefined;

  start(): void {
    this.dueAt = performance.now() + sampleMs;
    this.timer = every(sampleMs, () => this.sample());
  }

  stop(): void {
    clearInterval(this.timer);
  }

  get ms(): number {
    // An overdue measurement already counts.
    return this.timer === undefined ? 0 : Math.max(this.worst, performance.now() - this.dueAt);
  }

  private sample(): void {
    const now = performance.now();
    this.worst = Math.max(now - this.dueAt, this.worst * kept);
    this.dueAt = now + sampleMs;
  }
}
