import { announceSlots, type SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { FencedError } from "../../shared/redis/script.js";
import type { HeldSlots } from "./held-slots.js";
import type { HeldSlot } from "./slot-plan.js";
import { SlotStateWrites } from "./slot-state-writes.js";

export interface SlotReleasesOptions {
  redis: RedisClient;
  held: HeldSlots;
  /** Resolves when nothing of the slot writes any more. */
  drain: (slot: number) => Promise<void>;
  /** Called when a slot was released. */
  onLeft: () => void;
  log: Log;
}

/**
 * Releases slots: drains each one, then marks it free in Redis. A drain may take long, because a send that has begun is finished; nothing
 * else waits for it.
 */
export class SlotReleases {
  private readonly running = new Set<Promise<void>>();
  private readonly states: SlotStateWrites;

  constructor(private readonly options: SlotReleasesOptions) {
    this.states = new SlotStateWrites(options.redis);
  }

  /** Calls `onFreed` unless a slot could not be marked free in Redis. */
  begin(slots: readonly number[], onFreed: () => void): void {
    const release = this.release(slots, false).finally(() => {
      this.running.delete(release);
      if (slots.every((slot) => this.options.held.all.get(slot)?.phase !== "drained")) onFreed();
    });
    this.running.add(release);
  }

  /** Waits for the releases that run, then drains and releases these slots (process end), even if Redis could not store that they drain. */
  async finish(slots: () => readonly number[]): Promise<void> {
    await Promise.all(this.running);
    await this.release(slots(), true);
  }

  private async release(slots: readonly number[], last: boolean): Promise<void> {
    const failures = (await Promise.all(slots.map((slot) => this.releaseOne(slot, last)))).filter((reason) => reason !== undefined);
    if (failures.length > 0)
      this.options.log.warn({ slots: failures.length, of: slots.length, reason: failures[0] }, "slot release failed");
    await announceSlots(this.options.redis, slots).catch(() => undefined);
  }

  /** Resolves with the reason when Redis did not respond. */
  private async releaseOne(slot: number, last: boolean): Promise<string | undefined> {
    const { held, drain, onLeft } = this.options;
    const before = held.all.get(slot);
    if (before === undefined || before.phase === "draining") return undefined;
    const { token } = before;
    let drained = before.phase === "drained";
    this.setPhase(slot, token, "draining");
    try {
      if (!drained) {
        const marked = this.states.set(slot, token, "draining");
        await (last ? marked.catch(() => undefined) : marked);
        await drain(slot);
        drained = true;
      }
      await this.states.set(slot, token, "free");
      if (held.all.get(slot)?.token === token) held.all.delete(slot);
      onLeft();
      return undefined;
    } catch (error) {
      if (error instanceof FencedError) {
        held.fenced(slot, token);
        return undefined;
      }
      // The next owner needs the slot marked free in Redis, so the next run retries this for a drained slot.
      this.setPhase(slot, token, drained ? "drained" : "held");
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Does nothing when the slot was lost or came back under another token. */
  private setPhase(slot: number, token: SlotToken, phase: HeldSlot["phase"]): void {
    const { all } = this.options.held;
    const held = all.get(slot);
    if (held?.token === token) all.set(slot, { ...held, phase });
  }
}
