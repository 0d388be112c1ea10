import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";
import { circuitAfter, closedCircuit, isOpen, roomOf, type Circuit, type CircuitLimits } from "./circuit.js";

export interface GateOptions {
  /** Requests at once of this process, and to one destination (shard/README.md, "Webhook delivery"). */
  readonly total?: number;
  readonly perDestination?: number;
  /** See `CircuitLimits`. */
  readonly failuresMax?: number;
  readonly circuitMs: number;
  readonly now?: () => number;
}

/** A place to send from. Must be given back once, with what it showed of the destination. */
export interface Permit {
  /** `unspent`: nothing was sent. */
  done(outcome: "alive" | "failed" | "unspent"): void;
}

interface Destination {
  circuit: Circuit;
  timer: NodeJS.Timeout | undefined;
}

/** Destinations that are remembered for their failures although nobody waits for them. */
const idleMax = 10_000;

/**
 * Shares out the requests of a process: no destination has more than its part, and destinations take turns, so that a dead one holds up only those who wait
 * for it. After too many failures in a row it gets none for a while, then one at a time until one succeeds. A session waits at most once, which
 * bounds the queue by the sessions of the process.
 */
export class DestinationGate {
  /** Those whose last attempt failed. */
  private readonly failing = new Map<string, Destination>();
  private readonly places: KeyedSemaphore;
  private readonly limits: CircuitLimits;
  private readonly now: () => number;

  constructor({ total, perDestination, failuresMax, circuitMs, now }: GateOptions) {
    this.limits = { perDestination: perDestination ?? 10, failuresMax: failuresMax ?? 20, circuitMs };
    this.now = now ?? (() => performance.now());
    this.places = new KeyedSemaphore([total ?? 200, (host) => roomOf(this.circuitOf(host), this.now(), this.limits)]);
  }

  /** Rejects with the signal's reason when it aborts first. */
  async acquire(host: string, signal: AbortSignal): Promise<Permit> {
    return this.permitOf(host, await this.places.enter([host], signal));
  }

  /** Without a wait, where there is a place. */
  tryAcquire(host: string): Permit | undefined {
    const release = this.places.tryEnter([host]);
    return release && this.permitOf(host, release);
  }

  private permitOf(host: string, release: Release): Permit {
    let isGiven = true;
    return {
      done: (outcome) => {
        if (!isGiven) return;
        isGiven = false;
        this.judge(host, outcome);
        release();
        this.places.wake();
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
    const known = this.failing.get(host);
    clearTimeout(known?.timer);
    if (outcome === "alive") {
      this.failing.delete(host);
      return;
    }
    if (known === undefined && this.failing.size >= idleMax) this.forgetIdle();
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

  private circuitOf(host: string): Circuit {
    return this.failing.get(host)?.circuit ?? closedCircuit;
  }

  private forgetIdle(): void {
    for (const [host, { timer }] of this.failing) {
      if (this.places.sizeOf([host]) > 0) continue;
      clearTimeout(timer);
      this.failing.delete(host);
    }
  }
}
