import { Child } from "../child.js";

export interface BusyWork {
  readonly seconds: number;
}

/** Processes that compute without a pause, as other work on the machine does. */
export class BusyProcesses {
  private constructor(private readonly children: readonly Child<BusyWork>[]) {}

  /** Resolves when all processes are ready. The caller must stop them. */
  static async start(count: number, signal: AbortSignal): Promise<BusyProcesses> {
    const busy = new BusyProcesses(
      Array.from({ length: count }, (_, n) => Child.start<BusyWork>(`busy ${n + 1}`, "./busy/busy-process.js", signal)),
    );
    try {
      await busy.work(0);
      return busy;
    } catch (error) {
      await busy.stop();
      throw error;
    }
  }

  /** Resolves when all processes have computed for `seconds`. */
  async work(seconds: number): Promise<void> {
    await Promise.all(this.children.map((child) => child.request({ seconds }, seconds * 1000 + lateMs)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => child.stop()));
  }
}

/** All processes start at once on a few cores, so some start late. */
const lateMs = 60_000;
