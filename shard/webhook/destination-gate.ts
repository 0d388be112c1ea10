import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";
import { circuitAfter, closedCircuit, isOpen, roomOf, type Circuit, type CircuitLimits } from "./circuit.js";

export interface GateOptions {
  /** Concurrent requests of this process, and to one destination (shard/README.md, "Webhook delivery"). */
  readonly total?: number;
  readonly perDestination?: number;
  /** See `CircuitLimits`. */
  readonly failuresMax?: number;
  readonly circuitMs: number;
  readonly now?: () => number;
}

/** A place to send from. It must be released once, with what the attempt showed of the destination. */
export interface Permit {
  /** `unspent`: nothing was sent. */
  done(outcome: "alive" | "failed" | "unspent"): void;
}

interface Destination {
  circuit: Circuit;
  timer: NodeJS.Timeout | undefined;
}

/** Failing destinations that are remembered while no caller waits for them. */
const idleMax = 10_000;

/**
 * Shares the requests of a process: tenants take turns, and so do the destinations of each, so that a dead one holds up only its own
 * callers. After too many failures it gets no request for a while, then one at a time until one succeeds.
 */
export class DestinationGate {
  /** Destinations whose last attempt failed. */
  private readonly failing = new Map<string, Destination>();
  private readonly places: KeyedSemaphore;
  /** Callers that have or want a place, counted by destination and tenant. */
  private readonly callers = new Map<string, Map<string, number>>();
  private readonly limits: CircuitLimits;
  private readonly now: () => number;

  constructor({ total, perDestination, failuresMax, circuitMs, now }: GateOptions) {
    this.limits = { perDestination: perDestination ?? 10, failuresMax: failuresMax ?? 20, circuitMs };
    this.now = now ?? (() => performance.now());
    this.places = new KeyedSemaphore([total ?? 200, Number.POSITIVE_INFINITY, (host, running) => running + this.freeAt(host)]);
  }

  /** Rejects with the signal's reason when it aborts first. */
  async acquire(tenant: string, host: string, signal: AbortSignal): Promise<Permit> {
    const leave = this.register(tenant, host);
    try {
      return this.permitOf(host, await this.places.enter([tenant, host], signal), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Returns a place without waiting, or `undefined`. */
  tryAcquire(tenant: string, host: string): Permit | undefined {
    const leave = this.register(tenant, host);
    const release = this.places.tryEnter([tenant, host]);
    if (release === undefined) leave();
    return release && this.permitOf(host, release, leave);
  }

  private permitOf(host: string, release: Release, leave: () => void): Permit {
    let isGiven = true;
    return {
      done: (outcome) => {
        if (!isGiven) return;
        isGiven = false;
        this.judge(host, outcome);
        release();
        leave();
      },
    };
  }

  get running(): number {
    return this.places.running;
  }

  get openCircuits(): number {
    return [...this.failing.values()].filter(({ circuit }) => isOpen(circuit, this.limits)).length;
  }

  stop(): void {
    for (const { timer } of this.failing.values()) clearTimeout(timer);
  }

  private judge(host: string, outcome: "alive" | "failed" | "unspent"): void {
    if (outcome === "unspent") return;
    const current = this.failing.get(host);
    clearTimeout(current?.timer);
    if (outcome === "alive") {
      this.failing.delete(host);
      return;
    }
    if (current === undefined && this.failing.size >= idleMax) this.forgetIdle();
    const destination: Destination = {
      circuit: circuitAfter(this.circuitOf(host), outcome, this.now(), this.limits),
      timer: undefined,
    };
    this.failing.set(host, destination);
    if (!isOpen(destination.circuit, this.limits)) return;
    destination.timer = setTimeout(() => {
      destination.circuit = { ...destination.circuit, openUntil: 0 };
      this.places.wake();
    }, this.limits.circuitMs);
    destination.timer.unref();
  }

  private register(tenant: string, host: string): () => void {
    const tenants = this.callers.get(host) ?? new Map<string, number>();
    this.callers.set(host, tenants.set(tenant, (tenants.get(tenant) ?? 0) + 1));
    return () => {
      const left = (tenants.get(tenant) ?? 0) - 1;
      if (left > 0) tenants.set(tenant, left);
      else tenants.delete(tenant);
      if (tenants.size === 0) this.callers.delete(host);
    };
  }

  /** Returns the free places there, whichever tenants have the others. */
  private freeAt(host: string): number {
    let free = roomOf(this.circuitOf(host), this.now(), this.limits);
    for (const tenant of this.callers.get(host)?.keys() ?? []) free -= this.places.runningOf([tenant, host]);
    return free;
  }

  private circuitOf(host: string): Circuit {
    return this.failing.get(host)?.circuit ?? closedCircuit;
  }

  private forgetIdle(): void {
    for (const [host, { timer }] of this.failing) {
      if (this.callers.has(host)) continue;
      clearTimeout(timer);
      this.failing.delete(host);
    }
  }
}
