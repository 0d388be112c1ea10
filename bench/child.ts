import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { AbortScope } from "../shared/flow/abort-scope.js";
import { onParentGone } from "../shared/process/parent-gone.js";

/**
 * A child process of the benchmark (load, baseline) that receives `Message`. It replies to one message at a time, and ends with its
 * channel, even if the parent is killed.
 */
export class Child<Message extends object> {
  private constructor(
    private readonly name: string,
    private readonly process: ChildProcess,
    private readonly signal: AbortSignal,
  ) {}

  /** `entry` is a compiled file, relative to this one. `signal` ends every wait. `env`: variables beside those of this process. */
  static start<Message extends object>(
    name: string,
    entry: string,
    signal: AbortSignal,
    env: Readonly<Record<string, string>> = {},
  ): Child<Message> {
    // Advanced serialization sends bytes as bytes.
    const child = fork(fileURLToPath(new URL(entry, import.meta.url)), {
      serialization: "advanced",
      execArgv: ["--enable-source-maps"],
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // `request` detects a failed child by its end. Without a listener Node would throw the error.
    child.on("error", () => undefined);
    return new Child<Message>(name, child, signal);
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error(`the ${this.name} process did not start`);
    return this.process.pid;
  }

  /** Sends a message and resolves with the unchecked reply. Rejects when the process ends, or does not reply within `deadlineMs`. */
  async request(message: Message, deadlineMs: number): Promise<unknown> {
    if (!this.process.connected) throw new Error(`the ${this.name} process is gone`);
    const scope = new AbortScope([this.signal], deadlineMs);
    const { signal } = scope;
    try {
      const response = once(this.process, "message", { signal }).then(([value]: unknown[]) => value);
      const ended = once(this.process, "exit", { signal }).then(([code]: unknown[]) => {
        throw new Error(`the ${this.name} process ended with ${String(code)}`);
      });
      ended.catch(() => undefined); // The race may already be decided.
      this.process.send(message);
      const value: unknown = await Promise.race([response, ended]);
      if (typeof value === "object" && value !== null && "failed" in value) throw new Error(`${this.name}: ${String(value.failed)}`);
      return value;
    } finally {
      scope.abort(new Error("answered"));
      scope.close();
    }
  }

  /** Kills the process and waits for its end. It has no data that an orderly end would save. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null || this.process.pid === undefined) return;
    const exit = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exit;
  }
}

/** Serves the parent's messages in the child with `answer`. Ends the process when the parent is gone. */
export function serveParent(handle: (message: unknown) => Promise<object>): void {
  onParentGone(() => process.exit(0));
  process.on("message", (message) => {
    handle(message).then(
      (value) => process.send?.(value),
      (error: unknown) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
    );
  });
}
