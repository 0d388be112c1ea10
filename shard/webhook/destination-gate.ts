import { KeyedSemaphore } from "../flow/keyed-semaphore.js";

export interface GateOptions {
  /** Requests at once of this process, and to one destination (shard/README.md, "Webhook delivery"). */
  readonly total?: number;
  readonly perDestination?: number;
  /** Failures in a row after which a destination is left alone for `circuitMs`. */
  readonly failuresMax?: number;
  readonly circuitMs: number;
  readonly now?: () => number;
}

/** A place to send from. Must be given back once, with what it showed of the destination. */
export interface Permit {
  /** `unspent`: nothing was sent. */
  done(outcome: "alive" | "failed" | "unspent"): void;
}

interface Circuit {
  /** In a row. */
  failures: number;
  /** On the clock of `now`; 0 when one may be tried. */
  openUntil: number;
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
  /** Of destinations whose last attempt failed. */
  private readonly circuits = new Map<string, Circuit>();
  private readonly places: KeyedSemaphore;
  private readonly perDestination: number;
  private readonly failuresMax: number;
  private readonly now: () => number;

  constructor(private readonly options: GateOptions) {
    this.perDestination = options.perDestination ?? 10;
    this.failuresMax = options.failuresMax ?? 20;
    this.now = options.now ?? (() => performance.now());
    this.places = new KeyedSemaphore([options.total ?? 200, (host) => this.room(host)]);
  }

  /** Rejects with the signal's reason when it aborts first. */
  async acquire(host: string, signal: AbortSignal): Promise<Permit> {
    const release = await this.places.enter([host], signal);
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
    return [...this.circuits.values()].filter(({ failures }) => failures >= this.failuresMax).length;
  }

  stop(): void {
    for (const { timer } of this.circuits.values()) clearTimeout(timer);
  }

  private judge(host: string, outcome: "alive" | "failed" | "unspent"): void {
    if (outcome === "unspent") return;
    const circuit = this.circuits.get(host);
    clearTimeout(circuit?.timer);
    if (outcome === "alive") this.circuits.delete(host);
    else this.fail(host, circuit?.failures ?? 0);
  }

  private fail(host: string, earlier: number): void {
    if (earlier === 0 && this.circuits.size >= idleMax) this.forgetIdle();
    const circuit: Circuit = { failures: earlier + 1, openUntil: 0, timer: undefined };
    this.circuits.set(host, circuit);
    if (circuit.failures < this.failuresMax) return;
    circuit.openUntil = this.now() + this.options.circuitMs;
    circuit.timer = setTimeout(() => {
      circuit.openUntil = 0;
      this.places.wake();
    }, this.options.circuitMs);
    circuit.timer.unref();
  }

  private room(host: string): number {
    const circuit = this.circuits.get(host);
    if (circuit === undefined || circuit.failures < this.failuresMax) return this.perDestination;
    return this.now() < circuit.openUntil ? 0 : 1;
  }

  private forgetIdle(): void {
    for (const [host, { timer }] of this.circuits) {
      if (this.places.sizeOf([host]) > 0) continue;
      clearTimeout(timer);
      this.circuits.delete(host);
    }
  }
}
