import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

export interface BoundedProcessOptions {
  readonly maxOutputBytes: number;
  /** Memory that the process may allocate, thread stacks included. Allocations beyond it fail. Mapped code and files do not count. */
  readonly maxMemoryBytes: number;
  /** Seconds of one core, after which the system kills the process. */
  readonly maxCpuSeconds: number;
  readonly signal: AbortSignal;
}

/** The standard output of a process, and how it ended. */
export interface ProcessOutcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The last 2,000 characters. */
  readonly stderr: string;
}

/**
 * Limits that the system enforces (setrlimit); the shell exits with 126 when it cannot set one. The number of processes is not limited,
 * because the system counts those of the user on the whole host.
 */
const limited = `ulimit -d "$1" && ulimit -t "$2" && ulimit -c 0 && ulimit -f 0 || exit 126
{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
shift 2
exec "$@"`;

/**
 * Runs a program at low priority without input and within limits; kills it when its output is too long or `signal` aborts. Resolves when
 * it has ended, whatever its code; rejects when it cannot start, or with the signal's reason.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  { maxOutputBytes, maxMemoryBytes, maxCpuSeconds, signal }: BoundedProcessOptions,
): Promise<ProcessOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Only the search path of our environment is passed: the rest holds secrets.
    const env = { PATH: process.env["PATH"], LANG: "C" };
    const child = spawn(
      "/bin/sh",
      ["-c", limited, "sh", String(Math.floor(maxMemoryBytes / 1024)), String(maxCpuSeconds), program, ...args],
      { stdio: ["ignore", "pipe", "pipe"], env },
    );
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });

    const chunks: Buffer[] = [];
    let outputBytes = 0;
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > maxOutputBytes) kill();
      else chunks.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-2_000)));
    child.on("error", (error) => {
      signal.removeEventListener("abort", kill);
      reject(error);
    });
    child.on("close", (code) => {
      signal.removeEventListener("abort", kill);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code, stdout: Buffer.concat(chunks), stderr });
    });
    if (child.pid !== undefined) yieldToOthers(child.pid);
  });
}

/** The sockets of thousands of accounts have priority over a thumbnail. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended: its `close` event reports how.
  }
}
