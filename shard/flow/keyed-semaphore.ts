import type { Ending } from "../../shared/flow/ending.js";
import { Waiter } from "../../shared/flow/waiter.js";
import { FairTurns, type Node, type PlaceLimit } from "./fair-turns.js";

export type { PlaceLimit } from "./fair-turns.js";

/** Releases a place. Calling it again does nothing. */
export type Release = () => void;

interface Candidate {
  readonly waiter: Waiter<Release | undefined>;
  /** Absent if the entry must not be rejected. */
  readonly turnAway: (() => void) | undefined;
}

type Chain = readonly Node<Candidate>[];

/**
 * Limits what runs at once: in all, for each key, and for keys within a key, such as the sessions of a tenant. `FairTurns` decides which
 * is next.
 */
export class KeyedSemaphore {
  private readonly turns: FairTurns<Candidate>;
  /** A released place may also let another key begin. */
  private readonly limitsVary: boolean;

  /**
   * `limits`: for all together, for each key, for each key within it. `waitingMax` limits the callers that wait in `enterUnlessFull`;
   * `costMax`: the highest cost of one place.
   */
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

  /** Running and waiting callers together, of one key or (`[]`) of all. */
  sizeOf(path: readonly string[]): number {
    return this.turns.sizeOf(path);
  }

  runningOf(path: readonly string[]): number {
    return this.turns.runningOf(path);
  }

  /** Returns a place without waiting, or `undefined`. */
  tryEnter(path: readonly string[], cost = 1): Release | undefined {
    const chain = this.turns.take(path, cost);
    return chain && this.releaseOf(chain);
  }

  /** Waits for a place, however many callers wait. Rejects with the signal's reason when it aborts first. */
  async enter(path: readonly string[], signal?: Ending): Promise<Release> {
    signal?.throwIfAborted();
    return this.tryEnter(path) ?? (await this.turn(path, signal, 1, false));
  }

  /**
   * Resolves with `undefined` when the line is full, at once or later: the last caller of the tenant or session with most in it makes room
   * for one with less. Rejects with the signal's reason when it aborts first.
   */
  async enterUnlessFull(path: readonly string[], signal: Ending, cost = 1): Promise<Release | undefined> {
    signal.throwIfAborted();
    const release = this.tryEnter(path, cost);
    if (release !== undefined) return release;
    return this.turns.waiting < this.waitingMax || this.makeRoom(path) ? await this.turn(path, signal, cost, true) : undefined;
  }

  /** Adds to the debt of a key, beyond the cost of its place: see `FairTurns.charge`. */
  charge(path: readonly string[], cost: number): void {
    this.turns.charge(path, cost);
  }

  /** Called when a limit has grown. */
  wake(): void {
    this.turns.refresh();
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
      if (this.limitsVary) this.turns.refresh();
      this.serve();
    };
  }

  private serve(): void {
    for (let next = this.turns.next(); next !== undefined; next = this.turns.next()) next.of.waiter.give(this.releaseOf(next.nodes));
  }

  /** Returns false when no waiting caller can make room for one more of `path`. */
  private makeRoom(path: readonly string[]): boolean {
    for (const { turnAway } of this.turns.mostWaiting(path)) {
      if (turnAway === undefined) continue;
      turnAway();
      return true;
    }
    return false;
  }
}
