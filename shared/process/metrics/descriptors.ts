import { closeSync, openSync, readFileSync } from "node:fs";
import { every } from "../../flow/every.js";
import { Gauge, type MetricsRegistry } from "./registry.js";

const pollMs = 1_000;
/**
 * Number of descriptors held from the start and released when none are left, so that the admin
 * port can still accept connections.
 */
const spareCount = 16;
/** With fewer free descriptors than this, the process counts as out of them before calls fail. */
const scarce = 32;
const nowhere = "/dev/null";

export interface DescriptorsOptions {
  readonly registry: MetricsRegistry;
  /** Most descriptors that the process may have; read from the system when absent. */
  readonly limit?: () => number;
}

/**
 * Detects that the process runs out of file descriptors. The system assigns the lowest free
 * number, so the number of a new descriptor shows how many are in use.
 */
export class Descriptors {
  private spare: number[] = [];
  private isOut = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly limit: () => number;

  constructor({ registry, limit = openFilesLimit }: DescriptorsOptions) {
    this.limit = limit;
    const gauge: Gauge = new Gauge({
      name: "gateway_process_descriptors_exhausted",
      help: "1 while fewer than 32 file descriptors are free, else 0",
      registers: [registry],
      collect: () => gauge.set(this.isOut ? 1 : 0),
    });
  }

  /** Why the process is not ready: a constant phrase. */
  problems(): readonly string[] {
    return this.isOut ? ["file descriptors are exhausted: raise the limit of open files (LimitNOFILE, ulimit -n)"] : [];
  }

  start(): void {
    this.read();
    this.timer = every(pollMs, () => this.read());
  }

  stop(): void {
    clearInterval(this.timer);
    this.giveBack();
  }

  private read(): void {
    this.isOut = this.left() < scarce;
    if (this.isOut) this.giveBack();
    else this.takeSpare();
  }

  /** How many are free at least. */
  private left(): number {
    try {
      const used = openSync(nowhere, "r");
      closeSync(used);
      return this.limit() - used;
    } catch {
      return 0;
    }
  }

  private takeSpare(): void {
    try {
      while (this.spare.length < spareCount) this.spare.push(openSync(nowhere, "r"));
    } catch {
      // The next check reports it.
    }
  }

  private giveBack(): void {
    for (const one of this.spare.splice(0)) closeSync(one);
  }
}

let lastLimit = Number.POSITIVE_INFINITY;

/** The soft limit now: an operator may change it while the process runs. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    lastLimit = soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    // Without a free descriptor, or on a system that has no such file.
  }
  return lastLimit;
}
