import { performance } from "node:perf_hooks";
import type { Ending } from "../../shared/flow/ending.js";
import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";
import { aheadMax, nextAtOnce, restMs, startsMax } from "./start-pace.js";

export interface StartsOptions {
  /** Whether sessions of several tenants live here. A single tenant never waits for another. */
  readonly isShared: () => boolean;
  /** Milliseconds that the event loop has worked in total. */
  readonly busyMs?: () => number;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

/** Commands begun since the line was last served. */
interface Period {
  readonly busyAt: number;
  readonly beganAt: number;
  readonly tenants: Set<string>;
  readonly releases: Release[];
  /** Number of commands in this period that skipped the line. */
  ahead: number;
}

/** Most commands that wait to begin. Past it, the tenant with the most waiting commands gets 503, its busiest session first. */
const waitingMax = 800;
const any = Number.POSITIVE_INFINITY;
const none: Release = () => undefined;

/**
 * Lets commands begin in turns of tenants and their sessions, few enough per event-loop turn to keep it short. While commands wait, the
 * loop rests so that tenants with little load are not delayed.
 */
export class Starts {
  private readonly places: KeyedSemaphore;
  private atOnce = startsMax;
  private period: Period | undefined;
  private readonly busyMs: () => number;
  private readonly nowMs: () => number;

  constructor(private readonly options: StartsOptions) {
    this.places = new KeyedSemaphore([() => (options.isShared() ? this.atOnce : any), any, any], waitingMax);
    this.busyMs = options.busyMs ?? (() => performance.eventLoopUtilization().active);
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  get waiting(): number {
    return this.places.waiting;
  }

  /**
   * Returns false when the line is needed by others or the signal aborts. A command that is not `refusable`, because it may have begun
   * elsewhere, waits however full the line is.
   */
  async enter(tenant: string, session: string, signal: Ending, refusable: boolean): Promise<boolean> {
    const path = [tenant, session];
    const release =
      this.places.tryEnter(path) ??
      this.skipLine(tenant) ??
      (await (refusable ? this.places.enterUnlessFull(path, signal) : this.places.enter(path, signal)).catch(() => undefined));
    if (release === undefined) return false;
    this.begin(tenant, release);
    return true;
  }

  /** Lets a tenant with nothing begun in this period and nothing queued begin before the period ends. */
  private skipLine(tenant: string): Release | undefined {
    const { period } = this;
    if (period === undefined || period.tenants.has(tenant) || period.ahead >= aheadMax || this.places.sizeOf([tenant]) > 0)
      return undefined;
    period.ahead++;
    return none;
  }

  private begin(tenant: string, release: Release): void {
    if (this.period === undefined) {
      this.period = { busyAt: this.busyMs(), beganAt: this.nowMs(), tenants: new Set(), releases: [], ahead: 0 };
      setImmediate(() => this.endTurn());
    }
    this.period.tenants.add(tenant);
    this.period.releases.push(release);
  }

  private endTurn(): void {
    if (this.period === undefined) return;
    this.atOnce = nextAtOnce(this.atOnce, this.busyMs() - this.period.busyAt);
    this.restOrServe(this.period);
  }

  private restOrServe(period: Period): void {
    const rest =
      this.places.waiting > 0 && this.options.isShared() ? restMs(this.busyMs() - period.busyAt, this.nowMs() - period.beganAt) : 0;
    if (rest > 0) setTimeout(() => this.restOrServe(period), rest);
    else this.serve(period);
  }

  private serve({ releases }: Period): void {
    this.period = undefined;
    for (const release of releases) release();
  }
}
