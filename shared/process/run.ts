import { every } from "../flow/every.js";
import { ConfigError } from "../config/env.js";
import type { Log } from "../log/logger.js";
import { collectGarbage } from "./collect-garbage.js";
import { keepIdleHeap } from "./idle-heap.js";
import { passKeysAsObjects } from "./keys-as-objects.js";
import { Lifecycle } from "./lifecycle.js";
import { onParentGone } from "./parent-gone.js";
import { surviveStrays } from "./stray-rejections.js";

/** Messages from a child process to its supervisor. */
export type ChildMessage =
  | { type: "ready" }
  /** Progress of a start: the current part and how much of it is done. While this changes, a start may take its time. */
  | { type: "progress"; phase: string; done: number }
  /** From the event loop, every second: its absence for 10 s means a hung process. */
  | { type: "beat" }
  /** A shard's current incarnation, which the supervisor buries when it reaps the process. */
  | { type: "joined"; member: string; incarnation: string };

/** No-op without a supervisor. */
export function notifySupervisor(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

/**
 * Builds and starts the parts of a process; stops them on SIGTERM, SIGINT or the supervisor's end. A second
 * signal exits at once; an error within `orEnd` exits within 2 s. Does not return before the end.
 */
export async function runProcess(
  log: Log,
  build: (lifecycle: Lifecycle, fail: (error: unknown) => void) => Promise<void> | void,
): Promise<void> {
  Buffer.poolSize = bufferBlockBytes;
  passKeysAsObjects();
  startBeats();
  const lifecycle = new Lifecycle(log, (part) => notifySupervisor({ type: "progress", phase: part, done: 0 }));
  let signals = 0;
  const end = (code: number): void => {
    signals += 1;
    if (signals > 1) process.exit(code === 0 ? 130 : code);
    void lifecycle.stop().then(() => process.exit(code));
  };
  const crash = (error: unknown): void => {
    log.error({ err: error }, "unexpected exception");
    setTimeout(() => process.exit(1), 2_000).unref();
    end(1);
  };
  // The terminal or the pipe may be gone before us; what would have been printed is lost, the process still stops in order.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("SIGTERM", () => end(0));
  process.on("SIGINT", () => end(0));
  surviveStrays(log, crash);
  onParentGone(() => end(0));
  try {
    await build(lifecycle, crash);
    collectGarbage();
    keepIdleHeap();
    await lifecycle.start();
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) log.error({ err: error }, "start failed");
    await lifecycle.stop();
    if (problems !== undefined) refuseSettings(problems);
    process.exit(1);
  }
  notifySupervisor({ type: "ready" });
}

/**
 * Small buffers share blocks of this size, as on Node 20, and one that lives long keeps its block. Node 24 makes blocks of 64 KiB, which
 * takes an idle account 13 to 16 KiB more.
 */
const bufferBlockBytes = 8 * 1024;

/** Starts the beats that show the supervisor that the event loop runs. */
export function startBeats(): void {
  notifySupervisor({ type: "beat" });
  every(1_000, () => notifySupervisor({ type: "beat" })).unref();
}

/** Exit code of a process whose settings are wrong (EX_CONFIG of sysexits.h): starting it again would not help. */
export const configurationExitCode = 78;

/** Reads settings or ends the process with every problem on standard error. */
export function settingsOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return refuseSettings(error.problems);
  }
}

/** Settings that prove wrong only against other processes or stored data; the part's error is the cause of the lifecycle's. */
function problemsOf(error: unknown): readonly string[] | undefined {
  const reason = error instanceof Error && error.cause instanceof ConfigError ? error.cause : error;
  return reason instanceof ConfigError ? reason.problems : undefined;
}

function refuseSettings(problems: readonly string[]): never {
  process.stderr.write(`configuration:\n${problems.map((problem) => `  ${problem}\n`).join("")}`);
  process.exit(configurationExitCode);
}
