import { fork, type ChildProcess } from "node:child_process";
import typia from "typia";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { every } from "../../shared/flow/every.js";
import { configurationExitCode } from "../../shared/process/run.js";
import type { Log } from "../../shared/log/logger.js";
import { Backoff } from "./backoff.js";
import type { ChildEnd } from "./metrics.js";
import { HangDetector, type ChildLimits } from "./hang-detector.js";
import { runQueueWaitMs } from "./run-queue-wait.js";
import type { SupervisedMessage } from "./supervised-message.js";

/** A shard may wait for a previous lease to expire when it starts. */
const startMs = 60_000;

/** Returns the limits of a child for the given cluster timing. */
export function childLimits({ stallMs, pollMs }: ClusterTiming): ChildLimits {
  return { stallMs, startMs, watchMs: pollMs };
}

/** The start fails after this number of exits before the child is first ready. */
const startAttempts = 5;

export type { ChildLimits };

/** Properties of one child. */
export interface ChildPlan {
  /** Such as `shard-1`; messages to people add `where`. */
  name: string;
  /** Its ports, for messages. */
  where: string;
  /** Absolute path of its compiled main file. */
  entry: string;
  /** Arguments of Node.js, before the entry. */
  nodeArguments: readonly string[];
  /** Returns the environment of the next fork. */
  env: () => NodeJS.ProcessEnv;
  /** Time in ms from SIGTERM to SIGKILL. */
  stopMs: number;
  /** Called with the facts in its `ready` message. */
  onReady?: (message: SupervisedMessage & { type: "ready" }) => void;
  /** Called when it joins the cluster as this incarnation. */
  onJoin?: (member: string, incarnation: string, pid: number) => void;
  /** Called when its incarnation is certainly dead, because the process has been reaped. */
  onDeath?: (member: string, incarnation: string) => void;
  /** Called when it ends without being stopped. */
  onEnd?: (end: ChildEnd) => void;
}

/** Thrown if the child rejects its settings, so a restart would not help. */
export class SettingsRefused extends Error {
  override readonly name = "SettingsRefused";
}

/** One fork of the child. */
interface Run {
  process: ChildProcess;
  hangDetector: HangDetector;
  /** Result of `runQueueWaitMs` at the last check. */
  waitedMs: number;
  /** Monotonic time; undefined until it is ready. */
  readyAt: number | undefined;
  joined: { member: string; incarnation: string } | undefined;
  /** Reason why the supervisor killed it as hung. */
  hung: string | undefined;
  ended: boolean;
}

/**
 * Keeps one child process running: starts it, kills it if it hangs, and restarts it with growing delays. The child leads its own process
 * group, so that Ctrl-C reaches only the supervisor, and its own children end with it.
 */
export class SupervisedChild {
  private readonly backoff = new Backoff();
  private run: Run | undefined;
  private failedStarts = 0;
  private wasReady = false;
  private stopping = false;
  private again: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private watchedAt = 0;
  private readonly firstReady = deferred();
  private readonly lastEnd = deferred();

  constructor(
    private readonly plan: ChildPlan,
    private readonly log: Log,
    private readonly limits: ChildLimits = childLimits(defaultClusterTiming),
  ) {}

  /** Resolves when the child is first ready; rejects if it exits five times before that, or is stopped. */
  start(): Promise<void> {
    if (this.stopping) return Promise.reject(new Error("stopped"));
    this.watchedAt = performance.now();
    this.watch = every(this.limits.watchMs, () => this.check());
    this.fork();
    return this.firstReady.promise;
  }

  /** Sends SIGTERM, and SIGKILL after `stopMs`; resolves when the child is reaped. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.again);
    clearInterval(this.watch);
    this.firstReady.reject(new Error(`${this.plan.name} was stopped`));
    if (this.run === undefined) return;
    this.run.process.kill("SIGTERM");
    const late = setTimeout(() => {
      this.log.warn({ child: this.plan.name }, "child stop timed out");
      this.kill();
    }, this.plan.stopMs);
    await this.lastEnd.promise;
    clearTimeout(late);
  }

  /** Kills the child and everything that it started, and does not restart it. */
  kill(): void {
    this.stopping = true;
    clearTimeout(this.again);
    if (this.run !== undefined) killGroup(this.run.process);
  }

  private fork(): void {
    const run: Run = {
      process: fork(this.plan.entry, {
        detached: true,
        env: this.plan.env(),
        execArgv: [...this.plan.nodeArguments],
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
      hangDetector: new HangDetector(this.limits, performance.now()),
      waitedMs: 0,
      readyAt: undefined,
      joined: undefined,
      hung: undefined,
      ended: false,
    };
    this.run = run;
    run.process.on("message", (message) => this.onMessage(run, message));
    run.process.once("exit", (code, signal) => this.end(run, signal ?? `exit code ${code}`));
    run.process.on("error", (error) => {
      // Without a process id the child never started and no exit follows; otherwise only a message was not delivered.
      if (run.process.pid === undefined) this.end(run, error.message);
    });
  }

  private onMessage(run: Run, message: unknown): void {
    if (!typia.is<SupervisedMessage>(message)) return;
    switch (message.type) {
      case "ready":
        run.readyAt ??= performance.now();
        run.hangDetector.isReady(performance.now());
        this.plan.onReady?.(message);
        this.wasReady = true;
        this.firstReady.resolve();
        return;
      case "beat":
        run.hangDetector.beat(performance.now());
        return;
      case "progress":
        run.hangDetector.progress(performance.now(), message.phase, message.done);
        return;
      case "joined":
        run.joined = { member: message.member, incarnation: message.incarnation };
        // The child's last messages may be read after its exit.
        if (run.ended) this.bury(run);
        else this.plan.onJoin?.(message.member, message.incarnation, run.process.pid ?? 0);
        return;
      default:
        message satisfies never;
    }
  }

  private end(run: Run, how: string): void {
    if (run.ended) return;
    const reason = run.hung === undefined ? how : `${how} (${run.hung})`;
    run.ended = true;
    this.run = undefined;
    killGroup(run.process);
    this.bury(run);
    if (this.stopping) return this.lastEnd.resolve();
    this.plan.onEnd?.(run.hung !== undefined ? "hung" : run.process.signalCode === null ? "exited" : "killed");
    this.failedStarts = run.readyAt === undefined ? this.failedStarts + 1 : 0;
    if (run.process.exitCode === configurationExitCode && !this.wasReady) {
      this.firstReady.reject(new SettingsRefused(`${this.plan.name} rejected its settings; see the messages above`));
      return;
    }
    if (this.failedStarts >= startAttempts && !this.wasReady) {
      this.firstReady.reject(
        new Error(
          `${this.plan.name} (${this.plan.where}) exited ${startAttempts} times before it was ready, last with ${reason}; see its messages above`,
        ),
      );
      return;
    }
    const delayMs = this.backoff.next(run.readyAt === undefined ? 0 : performance.now() - run.readyAt);
    const fields = { child: this.plan.name, reason, delayMs, failedStarts: this.failedStarts };
    // A clean exit after a good start is a planned restart.
    if (run.process.exitCode === 0 && run.readyAt !== undefined) this.log.info(fields, "child restarting");
    else this.log.warn(fields, "child exited, restarting");
    this.forkIn(delayMs);
  }

  /** Retries a fork that throws, for example without free file descriptors. */
  private forkIn(ms: number): void {
    this.again = setTimeout(() => {
      try {
        this.fork();
      } catch (error) {
        this.log.error({ child: this.plan.name, err: error }, "child start failed");
        this.forkIn(ms);
      }
    }, ms);
  }

  private bury({ joined }: Run): void {
    if (joined !== undefined) this.plan.onDeath?.(joined.member, joined.incarnation);
  }

  private check(): void {
    const now = performance.now();
    const elapsedMs = now - this.watchedAt;
    this.watchedAt = now;
    const { run } = this;
    if (run === undefined || run.hung !== undefined) return;
    const waitedMs = runQueueWaitMs(run.process.pid ?? 0);
    // While this process was suspended or starved, the child's messages are still unread.
    const lateMs = Math.max(0, elapsedMs - this.limits.watchMs);
    run.hangDetector.excuse(now, Math.min(elapsedMs, lateMs + Math.max(0, waitedMs - run.waitedMs)));
    run.waitedMs = waitedMs;
    run.hung = run.hangDetector.verdict(now);
    if (run.hung === undefined) return;
    this.log.error({ child: this.plan.name, reason: run.hung }, "child not responding, killing it");
    killGroup(run.process);
  }
}

/** Kills the whole group, which may still contain a render process or an ffmpeg. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}

interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

function deferred(): Deferred {
  let settle: Omit<Deferred, "promise"> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined); // Only the caller of start() awaits it.
  return { promise, ...settle };
}
