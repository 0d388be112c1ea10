import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

export interface BoundedProcessOptions {
  readonly maxOutputBytes: number;
  /** What the process may allocate, stacks of its threads included; what it asks for beyond fails. Code and files that it maps do not count. */
  readonly maxMemoryBytes: number;
  /** Seconds of one core, after which the system ends it. */
  readonly maxCpuSeconds: number;
  readonly signal: AbortSignal;
}

/** What a process wrote to its standard output, and how it ended. */
export interface ProcessOutcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The last 2,000 characters. */
  readonly stderr: string;
}

/**
 * Limits that the system enforces (setrlimit). A shell sets them and then becomes the wanted program; if one cannot be set it ends with code 126, so that
 * nothing runs without its limits. No core file, no other file, and the first to be killed when the host runs out of memory. The number of processes is not
 * limited here, because the system counts a user's on the whole host, this shard's among them. How many run at once is bounded by the caller.
 */
const limited = `ulimit -d "$1" && ulimit -t "$2" && ulimit -c 0 && ulimit -f 0 || exit 126
{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
shift 2
exec "$@"`;

/**
 * Runs a program at low priority with no input, none of our environment and bounded memory, CPU time and output: one that writes more is killed, and so
 * is one whose signal aborts. Resolves when it has ended, whatever its code; rejects when it could not be started or with the signal's reason.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  { maxOutputBytes, maxMemoryBytes, maxCpuSeconds, signal }: BoundedProcessOptions,
): Promise<ProcessOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Of our environment only the search path: the rest holds secrets.
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

/** The sockets of thousands of accounts come before a thumbnail. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Already ended: its `close` event tells how.
  }
}
