import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

export interface BoundedProcessOptions {
  readonly maxOutputBytes: number;
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
 * Runs a program at low priority with no input, none of our environment and bounded output: one that writes more is killed, and so is one
 * whose signal aborts. Resolves when it has ended, whatever its code; rejects when it could not be started or with the signal's reason.
 */
export function runBounded(program: string, args: readonly string[], { maxOutputBytes, signal }: BoundedProcessOptions): Promise<ProcessOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Of our environment only the search path: the rest holds secrets.
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"], LANG: "C" } });
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
