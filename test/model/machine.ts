import type { World } from "./world.js";

/** Told once what a wait has come to. */
export interface Wake {
  ok(value?: unknown): void;
  fail(error: unknown): void;
}

/** What a task of a process waits for. */
export type Wait = (wake: Wake) => void;

/** A task of a process: it yields its waits. */
export type Steps<T = void> = Generator<Wait, T, unknown>;

/** Where a process runs. */
export interface Place {
  readonly name: string;
  /** Since when its network is cut; `undefined` while it is not. */
  cutSince: number | undefined;
  /** Since when it does not reach Redis, whatever else it reaches. */
  redisCutSince: number | undefined;
  /** Since when it has no power: what its processes had sent and held is gone. */
  lostSince: number | undefined;
}

/** Whether what its processes ask of Redis stays on the way. */
export function isCutFromRedis({ cutSince, redisCutSince }: Place): boolean {
  return cutSince !== undefined || redisCutSince !== undefined;
}

/** Ends waits. */
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

/** One life of a process: it has a clock of its own, and may freeze or die. */
export class Machine {
  readonly life: number;
  state: "running" | "frozen" | "dead" = "running";
  /** Since when nobody has seen anything of it; infinite while it runs, but for a cut network. */
  stillSince = Infinity;
  private readonly held: (() => void)[] = [];

  /** `rate`: how fast its monotonic clock goes. */
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

  /** Monotonic milliseconds on its own clock. */
  now(): number {
    return this.world.now * this.rate;
  }

  /** On its own clock. A frozen process does it when it goes on, a dead one never. */
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

  /** What came meanwhile is done in any order: timers and answers come from different queues. */
  thaw(): void {
    if (this.state !== "frozen") return;
    this.state = "running";
    // What it does behind a cut network nobody sees.
    if (this.place.cutSince === undefined) this.stillSince = Infinity;
    for (const run of this.held.splice(0)) this.world.after(this.world.random.between(0, 2), () => this.deliver(run));
  }

  /** The network of its host, which was cut since then, is there again. */
  reconnected(cutSince: number): void {
    this.stillSince = this.state === "running" ? Infinity : Math.min(this.stillSince, cutSince);
  }

  kill(): void {
    this.state = "dead";
    this.stillSince = Math.min(this.stillSince, this.world.now);
    this.held.length = 0;
  }
}

/** Resolves after `ms` of the machine's clock, or when one of the signals ends it. */
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

/** Resolves when the signal does. */
export function* until(signal: Signal): Steps {
  if (!signal.aborted) yield (wake) => signal.onAbort(() => wake.ok());
}
