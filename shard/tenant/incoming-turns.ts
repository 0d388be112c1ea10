import type { Socket } from "node:net";
import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import { FairTurns } from "../flow/fair-turns.js";

export interface IncomingTurnsOptions {
  /** Whether sessions of several tenants live here: one alone waits for nobody. */
  readonly isShared: () => boolean;
  /** To whom a session belongs. */
  readonly tenantOf: (session: string) => string;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

/** What adapters see of it. */
export type IncomingPort = Pick<IncomingTurns, "order">;

/** What has been handed out since the event loop last came round. */
interface Turn {
  readonly beganAt: number;
  readonly tenants: Set<string>;
  /** How many went ahead when the time was over. */
  ahead: number;
}

/** What came in is worked at for so long in one turn of the event loop; the rest waits for later ones. */
const turnMs = 4;
/** Tenants who may go ahead beyond that, one piece each. */
const aheadMax = 8;
const any = Number.POSITIVE_INFINITY;

/**
 * In whose turn it is worked at what came from the platforms: by tenants, and by the sessions of each. Answers and messages that come in at once, as after the network or this process stood still, would otherwise all be
 * worked at before anything of somebody who has little. A socket of which something waits is not read, so that each holds one piece at most. As long as the loop has time this delays nothing.
 */
export class IncomingTurns {
  private readonly turns = new FairTurns<() => void>([any, any, any]);
  private turn: Turn | undefined;
  private isServing = false;
  private readonly nowMs: () => number;

  constructor(private readonly options: IncomingTurnsOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Sockets of which something waits. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /** To be called before anybody listens on the socket of a session. */
  order(socket: Socket, session: string): void {
    const push = socket.push.bind(socket);
    // More than one where a socket decrypts: what it has read it gives at once.
    let held: unknown[] = [];
    socket.push = (bytes: unknown, ...rest) => {
      if (held.length === 0 && (bytes === null || this.mayPass(session))) return push(bytes, ...rest);
      if (held.push(bytes) === 1)
        this.join(session, () => {
          const given = held;
          held = [];
          if (!socket.destroyed) for (const one of given) push(one, ...rest);
        });
      return false;
    };
  }

  private mayPass(session: string): boolean {
    if (!this.options.isShared()) return true;
    const tenant = this.options.tenantOf(session);
    // Those of the same tenant that wait came before.
    if (this.turns.sizeOf([tenant]) > 0) return false;
    this.turn ??= this.begin();
    const { turn } = this;
    const isTime = this.nowMs() - turn.beganAt < turnMs;
    if (!isTime && (turn.tenants.has(tenant) || turn.ahead >= aheadMax)) return false;
    if (!isTime) turn.ahead++;
    turn.tenants.add(tenant);
    return true;
  }

  private begin(): Turn {
    setImmediate(() => (this.turn = undefined));
    return { beganAt: this.nowMs(), tenants: new Set(), ahead: 0 };
  }

  private join(session: string, give: () => void): void {
    this.turns.join([this.options.tenantOf(session), session], give, 1);
    if (this.isServing) return;
    this.isServing = true;
    setImmediate(() => this.serve(this.nowMs() + turnMs));
  }

  private serve(until: number): void {
    const next = this.turns.next();
    if (next !== undefined) {
      this.turns.end(next.nodes);
      next.of();
    }
    this.isServing = this.turns.waiting > 0;
    if (!this.isServing) return;
    // Not before what was given is worked at: that goes on in promises.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.nowMs() < until) this.serve(until);
        else setImmediate(() => this.serve(this.nowMs() + turnMs));
      }),
    );
  }
}

export function watchIncoming(registry: MetricsRegistry, incoming: Pick<IncomingTurns, "waiting">): void {
  scrapedGauge(
    registry,
    "gateway_shard_incoming_queue_connections",
    "Connections to platforms whose turn it is not yet to have worked at what came in; one piece each, as they are not read meanwhile",
    () => incoming.waiting,
  );
}
