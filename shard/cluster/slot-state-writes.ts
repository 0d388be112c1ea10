import { setSlotStates, type NewSlotState } from "../../shared/cluster/ownership.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { FencedError } from "../../shared/redis/script.js";
import { isSpread } from "../../shared/redis/topology.js";

interface Waiting extends NewSlotState {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Slots of one script, so that Redis needs only a few milliseconds. */
const atOnce = 512;

/**
 * Batches the state changes of one turn of the event loop into few scripts: an ending process releases thousands of slots, each with two
 * changes. At most one entry per slot waits.
 */
export class SlotStateWrites {
  private waiting: Waiting[] = [];

  constructor(private readonly redis: RedisClient) {}

  /** Rejects with `FencedError` when the token is no longer the slot's. */
  set(slot: number, token: NewSlotState["token"], state: NewSlotState["state"]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.write());
      this.waiting.push({ slot, token, state, resolve, reject });
    });
  }

  private async write(): Promise<void> {
    const all = this.waiting;
    this.waiting = [];
    // With several servers each slot is written on its own: a server that is down must not delay the other slots.
    const size = isSpread(this.redis) ? 1 : atOnce;
    const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
    await Promise.all(parts.map((part) => this.writePart(part)));
  }

  private async writePart(part: readonly Waiting[]): Promise<void> {
    try {
      const written = await setSlotStates(this.redis, part);
      for (const [i, { resolve, reject }] of part.entries()) {
        if (written[i] === true) resolve();
        else reject(new FencedError());
      }
    } catch (error) {
      for (const { reject } of part) reject(error);
    }
  }
}
