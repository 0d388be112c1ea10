import { untilAborted } from "../../shared/process/abort-scope.js";
import { circuitAfter, closedCircuit, isOpen, roomOf, type Circuit, type CircuitLimits } from "./circuit.js";

export interface GateOptions {
  /** Requests at once of this process, and to one destination. */
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
  running: number;
  /** On the clock of `now`. */
  circuit: Circuit;
  /** First come, first served. */
  readonly waiting: Set<(permit: Permit) => void>;
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
  private readonly destinations = new Map<string, Destination>();
  /** Destinations that have somebody waiting and room for him, in turn. */
  private readonly turns = new Set<string>();
  private inFlight = 0;
  private readonly total: number;
  private readonly limits: CircuitLimits;
  private readonly now: () => number;

  constructor({ total, perDestination, failuresMax, circuitMs, now }: GateOptions) {
    this.total = total ?? 200;
    this.limits = { perDestination: perDestination ?? 10, failuresMax: failuresMax ?? 20, circuitMs };
    this.now = now ?? (() => performance.now());
  }

  /** Rejects with the signal's reason when it aborts first. */
  async acquire(host: string, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const destination = this.destination(host);
    let take: (permit: Permit) => void = () => undefined;
    const granted = new Promise<Permit>((resolve) => {
      take = resolve;
    });
    destination.waiting.add(take);
    this.turns.add(host);
    this.share();
    try {
      return await untilAborted(granted, signal);
    } catch (error) {
      // Aborted in the very turn in which it was granted: the place goes to the next.
      if (!destination.waiting.delete(take)) void granted.then((permit) => permit.done("unspent"));
      throw error;
    }
  }

  get running(): number {
    return this.inFlight;
  }

  get openCircuits(): number {
    return [...this.destinations.values()].filter(({ circuit }) => isOpen(circuit, this.limits)).length;
  }

  stop(): void {
    for (const { timer } of this.destinations.values()) clearTimeout(timer);
  }

  private share(): void {
    // A host that is put back comes again at the end of this very round.
    for (const host of this.turns) {
      if (this.inFlight >= this.total) return;
      this.turns.delete(host);
      const destination = this.destination(host);
      const [next] = destination.waiting;
      if (next === undefined || destination.running >= roomOf(destination.circuit, this.now(), this.limits)) continue;
      destination.waiting.delete(next);
      destination.running += 1;
      this.inFlight += 1;
      next(this.permit(host, destination));
      this.turns.add(host);
    }
  }

  private permit(host: string, destination: Destination): Permit {
    let given = false;
    return {
      done: (outcome) => {
        if (given) return;
        given = true;
        this.inFlight -= 1;
        destination.running -= 1;
        this.judge(host, destination, outcome);
        this.turns.add(host);
        this.share();
      },
    };
  }

  private judge(host: string, destination: Destination, outcome: "alive" | "failed" | "unspent"): void {
    if (outcome === "unspent") return;
    clearTimeout(destination.timer);
    destination.circuit = circuitAfter(destination.circuit, outcome, this.now(), this.limits);
    if (!isOpen(destination.circuit, this.limits)) return;
    destination.timer = setTimeout(() => {
      destination.circuit = { ...destination.circuit, openUntil: 0 };
      this.turns.add(host);
      this.share();
    }, this.limits.circuitMs);
    destination.timer.unref();
  }

  private destination(host: string): Destination {
    const known = this.destinations.get(host);
    if (known !== undefined) return known;
    if (this.destinations.size >= idleMax) this.forgetIdle();
    const made: Destination = { running: 0, circuit: closedCircuit, waiting: new Set(), timer: undefined };
    this.destinations.set(host, made);
    return made;
  }

  private forgetIdle(): void {
    for (const [host, { running, waiting, timer }] of this.destinations) {
      if (running > 0 || waiting.size > 0) continue;
      clearTimeout(timer);
      this.destinations.delete(host);
    }
  }
}
