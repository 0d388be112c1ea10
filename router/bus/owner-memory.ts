import type { RedisClient } from "../../shared/redis/connect.js";
import type { InvalidationFeed } from "../redis/invalidation-feed.js";
import { readOwner, type SlotOwner } from "../../shared/cluster/ownership.js";

export interface OwnerMemoryOptions {
  /** Reads on its connection are tracked. While it is not trusted nothing is remembered and every read asks Redis. */
  readonly feed: Pick<InvalidationFeed, "redis" | "trusted" | "onKeys" | "onLost">;
  /** Asked where the tracked connection does not answer. */
  readonly redis: RedisClient;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Upper bound of what a lost message of Redis can cost; the messages themselves take a millisecond. */
export const rememberedMs = 2_000;

/**
 * Who owns a slot, in this process's memory: at most 4096 rows. Redis tells of every write to what was read (client-side caching), which takes effect here within
 * a millisecond or so; should that fail unnoticed, what is remembered lasts 2 s. Whether the owner lives is another question, which is asked at every look
 * (`ownerServes`).
 */
export class OwnerMemory {
  private readonly owners = new Map<number, { readonly owner: SlotOwner | undefined; readonly readAt: number }>();
  /** Reads under way. One that a message has overtaken leaves the set and is not remembered. */
  private readonly reading = new Set<{ readonly slot: number }>();
  private readonly now: () => number;

  constructor(private readonly options: OwnerMemoryOptions) {
    this.now = options.now ?? (() => performance.now());
    options.feed.onKeys((key) => this.changed(key));
    options.feed.onLost(() => this.clear());
  }

  /** Without I/O; `undefined` where Redis has to be asked, and for a slot that was never owned. */
  atHand(slot: number): SlotOwner | undefined {
    const known = this.owners.get(slot);
    return known === undefined || this.now() - known.readAt >= rememberedMs ? undefined : known.owner;
  }

  /** As Redis has it now; `undefined` for a slot that was never owned. */
  async read(slot: number): Promise<SlotOwner | undefined> {
    const { feed, redis } = this.options;
    if (!feed.trusted) return await readOwner(redis, slot);
    const reading = { slot };
    const readAt = this.now();
    this.reading.add(reading);
    try {
      const owner = await readOwner(feed.redis, slot);
      // `reading` is still in its set only if nothing changed between the read and its answer.
      if (this.reading.has(reading)) this.owners.set(slot, { owner, readAt });
      return owner;
    } catch {
      // Asked again on the general connection, whose errors callers know.
      return await readOwner(redis, slot);
    } finally {
      this.reading.delete(reading);
    }
  }

  private changed(key: string): void {
    const slotText = /^o:\{(\d+)\}$/.exec(key)?.[1];
    if (slotText === undefined) return;
    const slot = Number(slotText);
    this.owners.delete(slot);
    for (const reading of this.reading) if (reading.slot === slot) this.reading.delete(reading);
  }

  private clear(): void {
    this.owners.clear();
    this.reading.clear();
  }
}
