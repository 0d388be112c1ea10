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
  /** A slot was given back. */
  onLeft: () => void;
  log: Log;
}

/** Gives slots back: drains each, then tells Redis that it is free. Drains may take long, for a send that has begun is waited for: nothing else waits for them. */
export class SlotReleases {
  private readonly running = new Set<Promise<void>>();
  private readonly states: SlotStateWrites;

  constructor(private readonly options: SlotReleasesOptions) {
    this.states = new SlotStateWrites(options.redis);
  }

  /** `onFreed` unless one of them is still to be told to Redis. */
  begin(slots: readonly number[], onFreed: () => void): void {
    const release = this.release(slots, false).finally(() => {
      this.running.delete(release);
      if (slots.every((slot) => this.options.held.all.get(slot)?.phase !== "drained")) onFreed();
    });
    this.running.add(release);
  }

  /** Ends what has begun, then gives these back whether Redis hears of the drain or not (process end). */
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

  /** Resolves with the reason when Redis did not answer. */
  private async releaseOne(slot: number, last: boolean): Promise<string | undefined> {
    const { held, drain, onLeft } = this.options;
    const before = held.all.get(slot);
    if (before === undefined || before.phase === "draining") return undefined;
    const { token } = before;
    let drained = before.phase === "drained";
    this.turn(slot, token, "draining");
    try {
      if (!drained) {
        const told = this.states.set(slot, token, "draining");
        await (last ? told.catch(() => undefined) : told);
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
      // Whoever waits for the slot can only take it when it is free, so a drained one is told again by the next run.
      this.turn(slot, token, drained ? "drained" : "held");
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Does nothing when the slot was lost meanwhile, or came back under another token. */
  private turn(slot: number, token: SlotToken, phase: HeldSlot["phase"]): void {
    const { all } = this.options.held;
    const held = all.get(slot);
    if (held?.token === token) all.set(slot, { ...held, phase });
  }
}
