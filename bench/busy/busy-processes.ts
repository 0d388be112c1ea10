import { Child } from "../child.js";

export interface BusyWork {
  readonly seconds: number;
}

/** Processes that compute without a pause, as other work on the machine does. */
export class BusyProcesses {
  private constructor(private readonly children: readonly Child[]) {}

  /** Resolves when they stand by. To be stopped by who started them. */
  static async start(count: number, signal: AbortSignal): Promise<BusyProcesses> {
    const busy = new BusyProcesses(Array.from({ length: count }, (_, n) => Child.start(`busy ${n + 1}`, "./busy/busy-process.js", signal)));
    try {
      await busy.work(0);
      return busy;
    } catch (error) {
      await busy.stop();
      throw error;
    }
  }

  /** Resolves when all have computed for so long. */
  async work(seconds: number): Promise<void> {
    await Promise.all(this.children.map((child) => child.ask({ seconds } satisfies BusyWork, seconds * 1000 + lateMs)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => child.stop()));
  }
}

/** All of them start at once on a few cores. */
const lateMs = 60_000;
