import { markSettled, type SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";

export interface SilenceWaitsOptions {
  redis: RedisClient;
  log: Log;
  /** Milliseconds after which every platform has dropped a silent owner's connections. */
  dropMs: number;
}

/**
 * Slots of owners that fell silent. Until Redis stores that a next owner has waited for the platform, every further owner waits again. At
 * most one wait per slot.
 */
export class SilenceWaits {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly options: SilenceWaitsOptions) {}

  /** `onOver`: the sessions may connect, and the slots may move on. */
  begin(slots: readonly { slot: number; token: SlotToken }[], onOver: () => void): void {
    if (slots.length === 0) return;
    const { redis, log, dropMs } = this.options;
    log.warn({ slots: slots.length, waitMs: dropMs }, "slots of silent owner acquired, sessions waiting");
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      onOver();
      // Without Redis, the next owner waits once more than needed.
      markSettled(redis, slots).catch((error: unknown) => log.warn({ err: error, slots: slots.length }, "slots not marked as settled"));
    }, dropMs);
    this.timers.add(timer);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
