import { KeyedSemaphore } from "../flow/keyed-semaphore.js";

/**
 * Commands that begin in one turn of the event loop. What a command does costs most when it begins, and all that began share the process from then on. So a tenant that sends more
 * than the shard can do waits here, and not in front of the others. As long as nobody waits this delays nothing.
 */
const atOnce = 4;
/** Commands that may wait to begin; past it the tenant that has most of them reads 503, its session with most first. */
const waitingMax = 800;
const any = Number.POSITIVE_INFINITY;

/** Lets commands begin: by turns of tenants, and of the sessions of each. */
export class Starts {
  private readonly places = new KeyedSemaphore([atOnce, any, any], waitingMax);
  /** Gives back the places of this turn of the event loop. */
  private begun: (() => void)[] = [];

  get waiting(): number {
    return this.places.waiting;
  }

  /** False when others need the line more, or when the signal ends the wait. One that must not be refused, because it may have begun elsewhere, waits whatever the line. */
  async enter(tenant: string, session: string, signal: AbortSignal, refusable: boolean): Promise<boolean> {
    const path = [tenant, session];
    const release =
      this.places.tryEnter(path) ??
      (await (refusable ? this.places.enterUnlessFull(path, signal) : this.places.enter(path, signal)).catch(() => undefined));
    if (release === undefined) return false;
    this.begun.push(release);
    if (this.begun.length === 1) setImmediate(() => this.nextTurn());
    return true;
  }

  private nextTurn(): void {
    const over = this.begun;
    this.begun = [];
    for (const release of over) release();
  }
}
