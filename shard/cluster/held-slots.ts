import { EventEmitter } from "node:events";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { HeldSlot } from "./slot-plan.js";

/** The slots that Redis gave to this process, each under its token. The slot keeper takes slots and gives them back; whoever writes for a slot looks here first. */
export class HeldSlots extends EventEmitter<{ lost: [slots: readonly number[]] }> {
  readonly all = new Map<number, HeldSlot>();
  /** Slots whose acquisition is under way. */
  private readonly asked = new Map<number, Promise<void>>();

  constructor(
    private readonly lease: { holds(): boolean },
    private readonly log: Log,
  ) {
    super();
  }

  get count(): number {
    return this.all.size;
  }

  /** Token of a slot that this process owns and may write; `undefined` when it does not, or while it drains. */
  token(slot: number): SlotToken | undefined {
    const held = this.all.get(slot);
    return held === undefined || held.phase !== "held" || !this.lease.holds() ? undefined : held.token;
  }

  /** True while the token is the slot's, draining included: for writes and sockets of work that has begun. */
  holds(slot: number, token: SlotToken): boolean {
    return this.all.get(slot)?.token === token && this.lease.holds();
  }

  /** Resolves when an acquisition of the slot that is under way is over: a router may read the new owner in Redis before this process has its answer. */
  async settled(slot: number): Promise<void> {
    await this.asked.get(slot);
  }

  /** Redis is asked for these slots. `asking` ends when the slots that it gave are in `all`. */
  asking(slots: readonly number[], asking: Promise<unknown>): void {
    const settled = asking
      .catch(() => undefined)
      // By then the slots are kept, and their sessions are being loaded.
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(() => slots.forEach((slot) => this.asked.delete(slot)));
    for (const slot of slots) this.asked.set(slot, settled);
  }

  /** A write under this token was refused: the slot is somebody else's, unless it has come back under another token since. */
  fenced(slot: number, token: SlotToken): void {
    if (this.all.get(slot)?.token === token) this.drop([slot]);
  }

  /** Forgets slots that are not ours any more, and emits `lost`. */
  drop(slots: readonly number[]): void {
    const lost = slots.filter((slot) => this.all.delete(slot));
    if (lost.length === 0) return;
    this.log.warn({ slots: lost.length }, "slots lost");
    this.emit("lost", lost);
  }
}
