import type { Socket } from "node:net";
import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import { FairTurns } from "../flow/fair-turns.js";

export interface IncomingTurnsOptions {
  /** Returns true when sessions of several tenants live here. A single tenant never waits. */
  readonly isShared: () => boolean;
  /** Returns the tenant that owns a session. */
  readonly tenantOf: (session: string) => string;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

/** The part that adapters use. */
export type IncomingPort = Pick<IncomingTurns, "order">;

/** What has passed since the event loop last came round. */
interface Turn {
  readonly beganAt: number;
  readonly tenants: Set<string>;
  /** How many tenants went ahead after the time was over. */
  ahead: number;
}

/** Milliseconds of incoming work in one turn of the event loop. The rest waits for later turns. */
const turnMs = 4;
/** Tenants that may go ahead after that, one piece each. */
const aheadMax = 8;
const any = Number.POSITIVE_INFINITY;

/**
 * Orders incoming platform data by tenant, then by session, so that a burst after a standstill does not delay a tenant with little. A
 * waiting socket is not read, so each holds one piece at most. Nothing waits while the loop has time.
 */
export class IncomingTurns {
  private readonly turns = new FairTurns<() => void>([any, any, any]);
  private turn: Turn | undefined;
  private isServing = false;
  private readonly nowMs: () => number;

  constructor(private readonly options: IncomingTurnsOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Sockets with data that waits. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /** To be called before any listener is added to a session's socket. */
  order(socket: Socket, session: string): void {
    const push = socket.push.bind(socket);
    // More than one where a socket decrypts: it passes on at once what it has read.
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
    // Waiting data of the same tenant came earlier.
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
    // The given data is processed first, which continues in promises.
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
    "Platform connections whose incoming data waits for its turn to be processed",
    () => incoming.waiting,
  );
}
