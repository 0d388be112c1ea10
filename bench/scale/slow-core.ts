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

/** Short beside everything that is measured, so that what runs there meets a slow core and no pauses. A quota of Linux' control groups pauses for several milliseconds. */
const periodMs = 1;

/**
 * A core that is slow, for one process alone: a spinner of real-time priority takes the same part of each of its milliseconds, and everything else that the benchmark runs is kept on the
 * other cores.
 */
export class SlowCore {
  private constructor(
    private readonly core: number,
    private readonly spinner: Child,
  ) {}

  /** `share` is what the spinner leaves of the core. `undefined` where that cannot be had: one core, not Linux, or not root. */
  static async open(share: number, signal: AbortSignal): Promise<SlowCore | undefined> {
    const core = availableParallelism() - 1;
    if (core < 1) return undefined;
    const spinner = Child.start("spinner", "./scale/spinner-process.js", signal);
    try {
      await run("chrt", ["--all-tasks", "--fifo", "--pid", "50", String(spinner.pid)], { signal });
      await keepOn(String(core), spinner.pid);
      await spinner.ask({ busyMs: (1 - share) * periodMs, periodMs } satisfies SpinnerWork, startMs);
      return new SlowCore(core, spinner);
    } catch {
      await spinner.stop();
      return undefined;
    }
  }

  /** The process has the core to itself, but for the spinner. What it starts later goes there too, and what others start does not. */
  async give(pid: number): Promise<void> {
    const rest = (await treeOf(process.pid)).filter((one) => one !== pid && one !== this.spinner.pid);
    for (const one of rest) await keepOn(`0-${this.core - 1}`, one).catch(() => undefined); // It has just ended.
    await keepOn(String(this.core), pid);
  }

  /** Every process has all cores again. */
  async close(): Promise<void> {
    await this.spinner.stop();
    for (const one of await treeOf(process.pid)) await keepOn(`0-${this.core}`, one).catch(() => undefined); // It has just ended.
  }
}

const startMs = 10_000;

async function keepOn(cores: string, pid: number): Promise<void> {
  await run("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)]);
}

async function treeOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid).catch(() => []); // It has just ended.
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}
