import type { World } from "./world.js";

/** Receives the result of a wait, once. */
export interface Wake {
  ok(value?: unknown): void;
  fail(error: unknown): void;
}

/** A wait that a task of a process yields. */
export type Wait = (wake: Wake) => void;

/** A task of a process. It yields its waits. */
export type Steps<T = void> = Generator<Wait, T, unknown>;

/** The host of a process. */
export interface Place {
  readonly name: string;
  /** Time since which the host's network is cut; `undefined` while the network works. */
  cutSince: number | undefined;
  /** Time since which the host cannot reach Redis, even if it reaches the platform. */
  redisCutSince: number | undefined;
  /** Time since which the host has no power. Requests and replies of its processes are lost. */
  lostSince: number | undefined;
}

/** Returns whether requests of the place's processes cannot reach Redis. */
export function isCutFromRedis({ cutSince, redisCutSince }: Place): boolean {
  return cutSince !== undefined || redisCutSince !== undefined;
}

/** Ends waits, like an `AbortSignal`. */
export class Signal {
  aborted = false;
  private listeners: (() => void)[] = [];

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.listeners.splice(0)) listener();
  }

  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.listeners.push(listener);
  }
}

/** One life of a process. It has its own clock, and may freeze or die. */
export class Machine {
  readonly life: number;
  state: "running" | "frozen" | "dead" = "running";
  /** Time of the last sign of life that others could see. Infinite while the process runs and its network works. */
  stillSince = Infinity;
  private readonly held: (() => void)[] = [];

  /** `rate` is the speed of the monotonic clock. */
  constructor(
    readonly world: World,
    readonly name: string,
    readonly place: Place,
    private readonly rate: number,
  ) {
    this.life = ++world.lives;
  }

  get isAlive(): boolean {
    return this.state !== "dead";
  }

  /** Returns milliseconds of the machine's own monotonic clock. */
  now(): number {
    return this.world.now * this.rate;
  }

  /** Runs `run` after `ms` of the machine's own clock. A frozen process runs it after the thaw, and a dead process never does. */
  after(ms: number, run: () => void): void {
    this.world.after(ms / this.rate, () => this.deliver(run));
  }

  deliver(run: () => void): void {
    if (this.state === "running") run();
    else if (this.state === "frozen") this.held.push(run);
  }

  start(steps: Steps<unknown>): void {
    const advance = (resume: () => IteratorResult<Wait, unknown>): void => {
      if (this.state === "dead") return;
      const { done, value } = resume();
      if (done !== true) value({ ok: (got) => advance(() => steps.next(got)), fail: (error) => advance(() => steps.throw(error)) });
    };
    advance(() => steps.next());
  }

  freeze(): void {
    if (this.state !== "running") return;
    this.state = "frozen";
    this.stillSince = this.world.now;
  }

  /** Events held back run in any order, because timers and responses come from different queues. */
  thaw(): void {
    if (this.state !== "frozen") return;
    this.state = "running";
    // Behind a cut network the process stays silent for others.
    if (this.place.cutSince === undefined) this.stillSince = Infinity;
    for (const run of this.held.splice(0)) this.world.after(this.world.random.between(0, 2), () => this.deliver(run));
  }

  /** Notes that the host's network, which was cut at `cutSince`, works again. */
  reconnected(cutSince: number): void {
    this.stillSince = this.state === "running" ? Infinity : Math.min(this.stillSince, cutSince);
  }

  kill(): void {
    this.state = "dead";
    this.stillSince = Math.min(this.stillSince, this.world.now);
    this.held.length = 0;
  }
}

/** Resolves after `ms` of the machine's clock, or when one of the signals aborts. */
export function* pause(machine: Machine, ms: number, ...signals: readonly Signal[]): Steps {
  yield (wake) => {
    let isOver = false;
    const go = (): void => {
      if (isOver) return;
      isOver = true;
      wake.ok();
    };
    machine.after(ms, go);
    for (const signal of signals) signal.onAbort(go);
  };
}

/** Resolves when the signal aborts. */
export function* until(signal: Signal): Steps {
  if (!signal.aborted) yield (wake) => signal.onAbort(() => wake.ok());
}
