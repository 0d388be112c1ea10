import { markSettled, type SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";

export interface SilenceWaitsOptions {
  redis: RedisClient;
  log: Log;
  /** After so long every platform has dropped what a silent owner may have left open, ms. */
  dropMs: number;
}

/** Slots of owners that fell silent. Until Redis knows that one of their next owners has waited for the platform, whoever takes them over waits anew. At most as many waits as there are slots. */
export class SilenceWaits {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly options: SilenceWaitsOptions) {}

  /** `onOver`: their sessions may connect, and they may move on. */
  begin(slots: readonly { slot: number; token: SlotToken }[], onOver: () => void): void {
    if (slots.length === 0) return;
    const { redis, log, dropMs } = this.options;
    log.warn({ slots: slots.length, waitMs: dropMs }, "slots of silent owner acquired, sessions waiting");
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      onOver();
      // Without Redis the next owner waits once more than it need.
      markSettled(redis, slots).catch((error: unknown) => log.warn({ err: error, slots: slots.length }, "slots not marked as settled"));
    }, dropMs);
    this.timers.add(timer);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
