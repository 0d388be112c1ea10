import { every } from "./every.js";

/**
 * Calls a function at an interval while there is work. It stops the timer when idle, because
 * waking an idle process costs more than the call.
 */
export class Ticks {
  private timer: NodeJS.Timeout | undefined;
  private isOn = false;
  private isWanted = false;

  /** `tick`: false when there is nothing to do until the next `wake`. */
  constructor(
    private readonly everyMs: number,
    private readonly tick: () => boolean,
  ) {}

  start(): void {
    this.isOn = true;
    if (this.isWanted) this.wake();
  }

  stop(): void {
    this.isOn = false;
    this.rest();
  }

  /** Restarts the timer, because there is something to do. */
  wake(): void {
    this.isWanted = true;
    if (!this.isOn) return;
    this.timer ??= every(this.everyMs, () => {
      if (!this.tick()) this.rest();
    });
  }

  private rest(): void {
    this.isWanted = false;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
