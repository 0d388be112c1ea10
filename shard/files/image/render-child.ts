import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ImageError } from "../media/image-error.js";
import type { RenderReply, RenderOutput, RenderRequest, RenderTask, RenderTaskName } from "./render-task.js";

/** `entry` is the compiled render-process, `fontConfig` the file that names the fonts. */
export interface RenderChildOptions {
  readonly entry: URL;
  readonly fontConfig: string;
  readonly threads: number;
  /** Called once, when no further task may be given to the process: it is being killed, or has exited. */
  readonly onEnding: () => void;
}

/** How a render process ended, and the end of its error output. */
export interface RenderExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A task may use `workMs` of processor time and take `deadlineMs` in all: a busy host must not fail pictures that are quickly made. */
export interface TaskLimits {
  readonly workMs: number;
  readonly deadlineMs: number;
}

interface Pending {
  readonly resolve: (output: RenderOutput<RenderTaskName>) => void;
  readonly reject: (error: ImageError) => void;
  readonly stopWatch: () => void;
}

// Enough for a stack or for the last messages of libvips.
const stderrKept = 2_000;

/** One render process, from fork to exit. Its death fails only the tasks that it holds, with `worker exited`. */
export class RenderChild {
  /** Settles once: when the process can take tasks, or when it ended before. */
  readonly ready: Promise<void>;
  readonly exited: Promise<RenderExit>;
  private readonly process: ChildProcess;
  private readonly onEnding: () => void;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private ending = false;
  private late = false;
  private stderr = "";

  constructor({ entry, fontConfig, threads, onEnding }: RenderChildOptions) {
    this.onEnding = onEnding;
    this.process = fork(entry, [String(threads)], {
      serialization: "advanced", // sends pictures as bytes
      execArgv: ["--max-old-space-size=512"],
      // Passes no environment of the shard: a picture decoder must not have its secrets.
      env: { FONTCONFIG_FILE: fontConfig, TMPDIR: tmpdir(), LANG: "C.UTF-8", MALLOC_ARENA_MAX: "2" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr = (this.stderr + text).slice(-stderrKept)));
    this.exited = new Promise((resolve) => {
      this.process.once("exit", (code, signal) => {
        this.end();
        resolve({ code, signal, stderr: this.stderr });
      });
      // A fork that failed emits no exit.
      this.process.once("error", (error) => this.process.pid === undefined && resolve({ code: null, signal: null, stderr: error.message }));
    });
    this.process.on("message", (reply: RenderReply) => this.settle(reply));
    this.process.on("error", () => this.kill());
    void this.exited.then(() => this.failAll());
    this.ready = Promise.race([
      once(this.process, "message").then(() => undefined),
      this.exited.then(() => Promise.reject(new ImageError("worker exited"))),
    ]);
    this.ready.catch(() => undefined); // waiters of `ready` see the failure; without a waiter it is in `exited`
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get isEnding(): boolean {
    return this.ending;
  }

  /** True when the process was ended because a task reached its limits. */
  get endedLate(): boolean {
    return this.late;
  }

  /** Runs one task. A task beyond its limits hangs in native code, which only the end of the process stops. */
  run(task: RenderTask, limits: TaskLimits): Promise<RenderOutput<RenderTaskName>> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      const stopWatch = this.watch(limits, () => {
        this.late = true;
        this.fail(id, new ImageError("timeout"));
        this.kill();
      });
      this.pending.set(id, { resolve, reject, stopWatch });
      const request: RenderRequest = { id, task };
      // `send` does not throw for a dead process; it passes the error to the callback.
      this.process.send(request, (error) => {
        if (error !== null) this.fail(id, new ImageError("worker exited", error));
      });
    });
  }

  /** Ends the process at once. `exited` resolves when it is gone. */
  kill(): void {
    this.end();
    this.process.kill("SIGKILL");
  }

  private end(): void {
    if (this.ending) return;
    this.ending = true;
    this.onEnding();
  }

  private settle(reply: RenderReply): void {
    if (reply.kind === "ready") return;
    const pending = this.take(reply.id);
    if (pending === undefined) return;
    if (reply.result.ok) pending.resolve(reply.result.output);
    else pending.reject(new ImageError(reply.result.fault, reply.result.reason));
  }

  private fail(id: number, error: ImageError): void {
    this.take(id)?.reject(error);
  }

  private failAll(): void {
    for (const id of [...this.pending.keys()]) this.fail(id, new ImageError("worker exited"));
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.stopWatch();
    return pending;
  }

  /**
   * Calls `onLate` once when a task has reached its limits. Concurrent tasks share the processor time used. Returns a function that ends
   * the watch.
   */
  private watch({ workMs, deadlineMs }: TaskLimits, onLate: () => void): () => void {
    const startedAt = performance.now();
    const usedAtStart = this.usedMs() ?? 0;
    const check = (): void => {
      if (this.ending) return;
      const elapsedMs = performance.now() - startedAt;
      const usedNow = this.usedMs();
      const workedMs = usedNow === undefined ? elapsedMs : (usedNow - usedAtStart) / Math.max(1, this.pending.size);
      const leftMs = Math.min(workMs - workedMs, deadlineMs - elapsedMs);
      if (leftMs <= 0) onLate();
      else timer = setTimeout(check, Math.max(leftMs, checkMs));
    };
    let timer = setTimeout(check, Math.min(workMs, deadlineMs));
    return () => clearTimeout(timer);
  }

  /** Returns the milliseconds of processor time since the process began; `undefined` where the system does not show it. */
  private usedMs(): number | undefined {
    try {
      // Fields 14 and 15 are in hundredths of a second; the second field is a name in parentheses.
      const fields =
        readFileSync(`/proc/${this.process.pid ?? 0}/stat`, "latin1")
          .split(") ")
          .at(-1)
          ?.split(" ") ?? [];
      return 10 * (Number(fields[11]) + Number(fields[12]));
    } catch {
      return undefined;
    }
  }
}

/** Shortest time between two checks of the processor time used. */
const checkMs = 100;
