import type { Ending } from "../../shared/flow/ending.js";
import { Waiter } from "../../shared/flow/waiter.js";
import { FairTurns, type Node, type PlaceLimit } from "./fair-turns.js";

export type { PlaceLimit } from "./fair-turns.js";

/** Gives a place back. Calling it again does nothing. */
export type Release = () => void;

interface Candidate {
  readonly waiter: Waiter<Release | undefined>;
  /** Absent: may not be turned away. */
  readonly turnAway: (() => void) | undefined;
}

type Chain = readonly Node<Candidate>[];

/** Bounds what runs at once: in all, of each key, and of keys within a key, such as the sessions of a tenant and their files. Who is next says `FairTurns`. */
export class KeyedSemaphore {
  private readonly turns: FairTurns<Candidate>;
  /** A place that is given back may be one of another key too. */
  private readonly limitsVary: boolean;

  /** `limits`: of all together, of each key, of each key within it. `waitingMax` bounds those who wait by `enterUnlessFull`; `costMax`: what one place costs at most. */
  constructor(
    limits: readonly PlaceLimit[],
    private readonly waitingMax = Number.POSITIVE_INFINITY,
    costMax = 1,
  ) {
    this.turns = new FairTurns(limits, costMax);
    this.limitsVary = limits.slice(1).some((limit) => typeof limit === "function");
  }

  get running(): number {
    return this.turns.running;
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  /** Running and waiting together, of one key or (`[]`) of all. */
  sizeOf(path: readonly string[]): number {
    return this.turns.sizeOf(path);
  }

  runningOf(path: readonly string[]): number {
    return this.turns.runningOf(path);
  }

  /** A place without waiting, where there is one. */
  tryEnter(path: readonly string[], cost = 1): Release | undefined {
    const chain = this.turns.take(path, cost);
    return chain && this.releaseOf(chain);
  }

  /** Waits for a place, however many wait. Rejects with the signal's reason when it aborts first. */
  async enter(path: readonly string[], signal?: Ending): Promise<Release> {
    signal?.throwIfAborted();
    return this.tryEnter(path) ?? (await this.turn(path, signal, 1, false));
  }

  /**
   * Resolves with `undefined` when the line is full, at once or as others need it more: the last of the tenant with the most in it makes room for a tenant with less, and so do sessions
   * within a tenant. Rejects with the signal's reason when it aborts first.
   */
  async enterUnlessFull(path: readonly string[], signal: Ending, cost = 1): Promise<Release | undefined> {
    signal.throwIfAborted();
    const release = this.tryEnter(path, cost);
    if (release !== undefined) return release;
    return this.turns.waiting < this.waitingMax || this.makeRoom(path) ? await this.turn(path, signal, cost, true) : undefined;
  }

  /** Adds to what a key owes, beyond the cost of the place that it had: see `FairTurns.charge`. */
  charge(path: readonly string[], cost: number): void {
    this.turns.charge(path, cost);
  }

  /** A limit has become higher. */
  wake(): void {
    this.turns.look();
    this.serve();
  }

  private turn(path: readonly string[], signal: Ending | undefined, cost: number, refusable: false): Promise<Release>;
  private turn(path: readonly string[], signal: Ending | undefined, cost: number, refusable: true): Promise<Release | undefined>;
  private async turn(path: readonly string[], signal: Ending | undefined, cost: number, refusable: boolean): Promise<Release | undefined> {
    const leave = (): void => this.turns.leave(waiting);
    const turnAway = (): void => {
      leave();
      waiter.give(undefined);
    };
    const waiter = new Waiter<Release | undefined>({ signal, leave, giveBack: (release) => release?.() });
    const waiting = this.turns.join(path, { waiter, turnAway: refusable ? turnAway : undefined }, cost);
    return await waiter.given();
  }

  private releaseOf(chain: Chain): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.turns.end(chain);
      if (this.limitsVary) this.turns.look();
      this.serve();
    };
  }

  private serve(): void {
    for (let next = this.turns.next(); next !== undefined; next = this.turns.next()) next.of.waiter.give(this.releaseOf(next.nodes));
  }

  /** False when nobody is to make room for one more of `path`. */
  private makeRoom(path: readonly string[]): boolean {
    for (const { turnAway } of this.turns.mostWaiting(path)) {
      if (turnAway === undefined) continue;
      turnAway();
      return true;
    }
    return false;
  }
}
