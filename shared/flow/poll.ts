import { every } from "./every.js";

/** Repeats a poll at an interval, one at a time: a request during a poll joins that poll. */
export class Poll {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** `check` never rejects. */
  constructor(
    private readonly everyMs: number,
    private readonly check: () => Promise<void>,
  ) {}

  /** The first poll runs after one interval. */
  start(): void {
    this.timer = every(this.everyMs, () => this.now());
  }

  get isChecking(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when the poll ends. */
  now(): Promise<void> {
    this.running ??= this.check().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Stops the interval and resolves once no poll is running. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
