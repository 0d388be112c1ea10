import { every } from "./every.js";

const sampleMs = 100;
/** Of the worst lag that is left from one look to the next: a tenth of it after two seconds. */
const kept = 0.89;

/** How late the event loop is, milliseconds: the worst of the last moments. What adds work to it asks first whether it keeps up with what it has. */
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
    // A look that is overdue counts already.
    return this.timer === undefined ? 0 : Math.max(this.worst, performance.now() - this.dueAt);
  }

  private sample(): void {
    const now = performance.now();
    this.worst = Math.max(now - this.dueAt, this.worst * kept);
    this.dueAt = now + sampleMs;
  }
}
