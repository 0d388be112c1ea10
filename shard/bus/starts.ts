import { performance } from "node:perf_hooks";
import type { Ending } from "../../shared/flow/end.js";
import { KeyedSemaphore } from "../flow/keyed-semaphore.js";
import { paced, startsMax } from "./start-pace.js";

export interface StartsOptions {
  /** Whether sessions of several tenants live here: one alone waits for nobody. */
  readonly isShared: () => boolean;
  /** Milliseconds for which the event loop has worked so far. */
  readonly busyMs?: () => number;
}

/** Commands that may wait to begin; past it the tenant that has most of them reads 503, its session with most first. */
const waitingMax = 800;
const any = Number.POSITIVE_INFINITY;

/**
 * Lets commands begin, by turns of tenants and of the sessions of each. All that have begun share the process from then on; so only as many begin in a turn of the event loop as keep it
 * short, and what a tenant sends beyond what the shard can do waits here, not in front of the others. As long as the loop has time this delays nothing.
 */
export class Starts {
  private readonly places: KeyedSemaphore;
  private atOnce = startsMax;
  /** Gives back the places of this turn of the event loop. */
  private begun: (() => void)[] = [];
  private busySince = 0;
  private readonly busyMs: () => number;

  constructor({ isShared, busyMs }: StartsOptions) {
    this.places = new KeyedSemaphore([() => (isShared() ? this.atOnce : any), any, any], waitingMax);
    this.busyMs = busyMs ?? (() => performance.eventLoopUtilization().active);
  }

  get waiting(): number {
    return this.places.waiting;
  }

  /** False when others need the line more, or when the signal ends the wait. One that must not be refused, because it may have begun elsewhere, waits whatever the line. */
  async enter(tenant: string, session: string, signal: Ending, refusable: boolean): Promise<boolean> {
    const path = [tenant, session];
    const release =
      this.places.tryEnter(path) ??
      (await (refusable ? this.places.enterUnlessFull(path, signal) : this.places.enter(path, signal)).catch(() => undefined));
    if (release === undefined) return false;
    this.begun.push(release);
    if (this.begun.length === 1) {
      this.busySince = this.busyMs();
      setImmediate(() => this.nextTurn());
    }
    return true;
  }

  private nextTurn(): void {
    this.atOnce = paced(this.atOnce, this.busyMs() - this.busySince);
    const over = this.begun;
    this.begun = [];
    for (const release of over) release();
  }
}
