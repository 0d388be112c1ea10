import { isCutFromRedis, type Machine, type Place, type Wait } from "./machine.js";
import { refusal, type Store } from "./store.js";
import type { World } from "./world.js";

/** A request to Redis. */
export interface Ask<T> {
  readonly apply: () => T;
  /** The response waits until a replica has the write, as `isKept` in `shared/redis/script.ts` says. */
  readonly isKept?: boolean;
  /** Same as `commandTimeout` of `shared/redis/connection-options.ts`. */
  readonly timeoutMs?: number;
}

interface Request {
  readonly ask: Ask<unknown>;
  readonly from: Connection;
  readonly ok: (value: unknown) => void;
  readonly fail: (error: Error) => void;
  /** Grows when the connection is cut, so that requests of the cut connection are dropped. */
  sending: number;
  isSettled: boolean;
}

/** Trouble between processes and Redis that a fault turns on. */
export interface Trouble {
  isDown: boolean;
  /** Share of the responses that are lost with their connection. */
  cuts: number;
  slowMs: number;
}

const writerTimeoutMs = 3_000;
/** A shared error, because creating a stack trace costs more than a step. */
const unready = new Error("Stream isn't writeable and enableOfflineQueue options is false");

/** Models Redis connections: responses take time, get lost, or belong to a request that ran twice. */
export class RedisLink {
  readonly trouble: Trouble = { isDown: false, cuts: 0, slowMs: 0 };
  repeats = 0;
  readonly connections = new Set<Connection>();
  /** Requests that wait until a host, or Redis, can be reached again. */
  private readonly stuck = new Set<Request>();

  constructor(
    readonly world: World,
    readonly store: Store,
  ) {}

  /** Handles a request that arrives at Redis. */
  arrive(request: Request, sending: number): void {
    const { trouble, world } = this;
    const { ask, from } = request;
    if (request.sending !== sending) return;
    if (trouble.isDown || isCutFromRedis(from.place)) {
      if (from.place.lostSince === undefined) this.stick(request, sending);
      return;
    }
    const answer = this.apply(ask);
    const { position } = this.store;
    const delay = from.latency() + (ask.isKept === true ? from.latency() : 0);
    world.after(delay, () => {
      if (request.sending !== sending || request.isSettled) return;
      if (isCutFromRedis(from.place) || trouble.isDown) return this.stick(request, sending);
      if (trouble.cuts > 0 && world.random.chance(trouble.cuts)) {
        this.repeats += 1;
        return from.cut();
      }
      if (answer === refusal) return request.fail(refusal);
      if (ask.isKept === true) this.store.confirm(position);
      request.ok(answer);
    });
  }

  /** Sends the waiting requests of one place, or of all places, which are reachable again. */
  heal(place?: Place): void {
    for (const request of [...this.stuck]) {
      if (place !== undefined && request.from.place !== place) continue;
      this.stuck.delete(request);
      // A request without a living sender may still lie in the host's buffers, unless the host lost its power.
      const isSent = request.from.place.lostSince === undefined && (!request.isSettled || this.world.random.chance(0.5));
      if (isSent) request.from.send(request, this.world.random.between(1, 300));
    }
  }

  private apply({ apply }: Ask<unknown>): unknown {
    try {
      return apply();
    } catch (error) {
      if (error === refusal) return refusal;
      throw error;
    }
  }

  private stick(request: Request, sending: number): void {
    this.stuck.add(request);
    const { from, ask } = request;
    from.machine.after(ask.timeoutMs ?? writerTimeoutMs, () => {
      if (request.sending === sending && !request.isSettled) request.fail(new Error("Command timed out"));
    });
  }
}

/** A connection of a process. Its requests arrive in order, and a cut sends unanswered requests again. */
export class Connection {
  private readonly unanswered = new Set<Request>();
  private lastArrival = 0;
  private closedUntil = 0;

  constructor(
    private readonly link: RedisLink,
    readonly machine: Machine,
  ) {
    link.connections.add(this);
  }

  get place(): Place {
    return this.machine.place;
  }

  /** Whether the client would send a command now. */
  get isReady(): boolean {
    return !this.link.trouble.isDown && this.link.world.now >= this.closedUntil;
  }

  /** Rejects with the errors of ioredis. */
  ask<T>(ask: Ask<T>): Wait {
    return (wake) => {
      if (!this.isReady) return this.machine.after(1, () => wake.fail(unready));
      const settle = (end: () => void): void => {
        request.isSettled = true;
        this.unanswered.delete(request);
        this.machine.deliver(end);
      };
      const request: Request = {
        ask,
        from: this,
        ok: (value) => settle(() => wake.ok(value)),
        fail: (error) => settle(() => wake.fail(error)),
        sending: 0,
        isSettled: false,
      };
      this.unanswered.add(request);
      this.send(request, this.latency());
    };
  }

  send(request: Request, delay: number): void {
    const { world } = this.link;
    const sending = ++request.sending;
    this.lastArrival = Math.max(this.lastArrival, world.now + delay);
    world.after(this.lastArrival - world.now, () => this.link.arrive(request, sending));
  }

  /** Breaks the connection. If Redis is up soon, unanswered requests are sent again; otherwise they fail. */
  cut(): void {
    const { world, trouble } = this.link;
    const backMs = world.random.between(50, 300);
    this.closedUntil = world.now + backMs;
    if (!this.machine.isAlive) return;
    for (const request of this.unanswered) {
      const sending = ++request.sending;
      world.after(backMs, () => {
        if (request.sending !== sending || request.isSettled || !this.machine.isAlive) return;
        if (trouble.isDown) request.fail(new Error("Reached the max retries per request limit"));
        else this.send(request, this.latency());
      });
    }
  }

  latency(): number {
    const { random } = this.link.world;
    return random.between(0.2, 1) + (this.link.trouble.slowMs > 0 ? random.between(0, this.link.trouble.slowMs) : 0);
  }
}
