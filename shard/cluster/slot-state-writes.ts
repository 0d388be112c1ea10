import { setSlotStates, type NewSlotState } from "../../shared/cluster/ownership.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { FencedError } from "../../shared/redis/script.js";
import { isSpread } from "../../shared/redis/topology.js";

interface Waiting extends NewSlotState {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Of one script, so that Redis does it within a few milliseconds. */
const atOnce = 512;

/** Slots whose state changes in one turn of the event loop are told to Redis in few scripts: a process that ends gives back thousands, each twice. There wait no more than there are slots. */
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
    // On several servers each on its own: one that does not answer must not hold up the slots of the others.
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
