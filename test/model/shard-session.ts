import type { SlotToken } from "../../shared/cluster/ownership.js";
import { FencedError } from "../../shared/redis/script.js";
import { pause, Signal, type Machine, type Steps } from "./machine.js";
import type { Platform, Wire } from "./platform.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { retryWhile } from "./retry.js";

export interface ShardSessionOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly platform: Platform;
  readonly slot: number;
  readonly token: SlotToken;
  /** The fence: whether the shard still holds the token and the lease. */
  readonly holds: () => boolean;
  readonly onFenced: () => void;
}

/** Durations of a connect, and pauses between writes of the session's state (ms). */
const connectMs = { least: 50, most: 400 };
const writeMs = { least: 500, most: 4_000 };

/** Models the sockets and writes of `Session` and `SessionStore` of `shard/session` for a held slot. */
export class ShardSession {
  /** Aborts when the first connect has ended, or when the session was closed. */
  readonly connectEnded = new Signal();
  readonly closed = new Signal();
  private wire: Wire | undefined;

  constructor(private readonly options: ShardSessionOptions) {}

  get isConnected(): boolean {
    return this.wire?.isClosed === false && !this.closed.aborted;
  }

  close(): void {
    if (this.wire?.isClosed === false) this.options.platform.close(this.wire);
    this.closed.abort();
    this.connectEnded.abort();
  }

  /** Writes a command to the socket if the fence allows it. Returns false when there is no socket. */
  perform(write: (wire: Wire) => void): boolean {
    if (!this.options.holds()) throw new FencedError();
    if (!this.isConnected || this.wire === undefined) return false;
    write(this.wire);
    return true;
  }

  /** Runs the session. `gapMs` is the wait before the first connect. */
  *run(gapMs: number): Steps {
    const { machine, platform, slot, redis, holds } = this.options;
    const { random } = redis.world;
    yield* pause(machine, gapMs, this.closed);
    while (!this.closed.aborted) {
      yield* pause(machine, random.between(connectMs.least, connectMs.most), this.closed);
      // The fence before a socket's first write.
      if (this.closed.aborted || !holds()) return;
      this.wire = platform.connect(slot, machine);
      redis.world.note("connected", slot, machine.name, machine.life);
      yield* this.write();
      this.connectEnded.abort();
      while (this.isConnected) {
        yield* pause(machine, random.between(writeMs.least, writeMs.most), this.closed);
        yield* this.write();
      }
    }
  }

  private *write(): Steps {
    if (this.closed.aborted) return;
    const { machine, redis, connection, slot, token, holds, onFenced } = this.options;
    const write = (): boolean => redis.slots.writeState(slot, token, machine.life);
    try {
      const isWritten = yield* retryWhile<boolean>(machine, () => connection.ask({ apply: write, isKept: true }), holds);
      if (!isWritten) onFenced();
    } catch {
      // The lease expired meanwhile, which closes every session.
    }
  }
}
