import { EventEmitter } from "node:events";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { HeldSlot } from "./slot-plan.js";

/**
 * The slots that this process owns, each with its token. The slot keeper acquires and releases them; every write for a slot checks here
 * first.
 */
export class HeldSlots extends EventEmitter<{ lost: [slots: readonly number[]] }> {
  readonly all = new Map<number, HeldSlot>();
  /** Slots that are being acquired. */
  private readonly acquiring = new Map<number, Promise<void>>();

  constructor(
    private readonly lease: { holds(): boolean },
    private readonly log: Log,
  ) {
    super();
  }

  get count(): number {
    return this.all.size;
  }

  /**
   * Returns the token of a slot that this process owns and may write; `undefined` if it does not own the slot, drains it, or has no valid
   * lease.
   */
  token(slot: number): SlotToken | undefined {
    const held = this.all.get(slot);
    return held === undefined || held.phase !== "held" || !this.lease.holds() ? undefined : held.token;
  }

  /** True while the token is current, draining included: for writes and sockets of work that has begun. */
  holds(slot: number, token: SlotToken): boolean {
    return this.all.get(slot)?.token === token && this.lease.holds();
  }

  /**
   * Resolves when a running acquisition of the slot ends: a router may read the new owner in Redis before this process has the response.
   */
  async settled(slot: number): Promise<void> {
    await this.acquiring.get(slot);
  }

  /** Registers an acquisition of these slots. `acquisition` settles when the acquired slots are in `all`. */
  registerAcquisition(slots: readonly number[], acquisition: Promise<unknown>): void {
    const settled = acquisition
      .catch(() => undefined)
      // By then the slots are stored, and their sessions are loading.
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(() => slots.forEach((slot) => this.acquiring.delete(slot)));
    for (const slot of slots) this.acquiring.set(slot, settled);
  }

  /** Drops the slot after a rejected write under this token, unless the slot has come back under another token. */
  fenced(slot: number, token: SlotToken): void {
    if (this.all.get(slot)?.token === token) this.drop([slot]);
  }

  /** Removes lost slots and emits `lost`. */
  drop(slots: readonly number[]): void {
    const lost = slots.filter((slot) => this.all.delete(slot));
    if (lost.length === 0) return;
    this.log.warn({ slots: lost.length }, "slots lost");
    this.emit("lost", lost);
  }
}
