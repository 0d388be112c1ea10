import { every } from "./every.js";

/** Looks at something every so often, one look at a time: whoever asks for one while one runs gets that one. */
export class Poll {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** `look` never rejects. */
  constructor(
    private readonly everyMs: number,
    private readonly look: () => Promise<void>,
  ) {}

  /** The first look comes after the time between two of them. */
  start(): void {
    this.timer = every(this.everyMs, () => this.now());
  }

  get isLooking(): boolean {
    return this.running !== undefined;
  }

  /** Resolves at the look's end. */
  now(): Promise<void> {
    this.running ??= this.look().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Resolves once no look runs, and none begins by itself any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
