import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { Child } from "../child.js";
import { childrenOf } from "../process-cpu.js";

export interface SpinnerWork {
  readonly busyMs: number;
  readonly periodMs: number;
}

const run = promisify(execFile);

/**
 * Short compared with every measured time, so that the process sees a slow core and no pauses. A quota of Linux' control groups pauses for
 * several milliseconds.
 */
const periodMs = 1;

/**
 * Slows one core down for one process: a spinner with real-time priority takes the same part of each millisecond. All other processes of
 * the benchmark stay on other cores.
 */
export class SlowCore {
  private constructor(
    private readonly core: number,
    private readonly spinner: Child<SpinnerWork>,
  ) {}

  /** `share` is the part of the core that the spinner leaves. Returns `undefined` with only one core, without Linux, or without root. */
  static async open(share: number, signal: AbortSignal): Promise<SlowCore | undefined> {
    const core = availableParallelism() - 1;
    if (core < 1) return undefined;
    const spinner = Child.start<SpinnerWork>("spinner", "./scale/spinner-process.js", signal);
    try {
      await run("chrt", ["--all-tasks", "--fifo", "--pid", "50", String(spinner.pid)], { signal });
      await keepOn(String(core), spinner.pid);
      await spinner.request({ busyMs: (1 - share) * periodMs, periodMs }, startMs);
      return new SlowCore(core, spinner);
    } catch {
      await spinner.stop();
      return undefined;
    }
  }

  /** Moves the process and its future children to the slow core, and all other processes away from it. */
  async give(pid: number): Promise<void> {
    const rest = (await treeOf(process.pid)).filter((one) => one !== pid && one !== this.spinner.pid);
    for (const one of rest) await keepOn(`0-${this.core - 1}`, one).catch(() => undefined); // The process may have just ended.
    await keepOn(String(this.core), pid);
  }

  /** Lets every process use all cores again. */
  async close(): Promise<void> {
    await this.spinner.stop();
    for (const one of await treeOf(process.pid)) await keepOn(`0-${this.core}`, one).catch(() => undefined); // The process may have just ended.
  }
}

const startMs = 10_000;

async function keepOn(cores: string, pid: number): Promise<void> {
  await run("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)]);
}

async function treeOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid).catch(() => []); // The process may have just ended.
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}
