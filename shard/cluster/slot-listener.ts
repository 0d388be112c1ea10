import type { SlotToken } from "../../shared/cluster/ownership.js";

export interface AcquiredSlot {
  slot: number;
  token: SlotToken;
  /** How long platform sockets of this slot must stay closed: a former owner's may be open for a moment longer. */
  settleMs: number;
  /** A former owner fell silent: they stay closed until the platform has dropped what it may have left open. */
  silent: boolean;
}

/** What happens to the sessions of slots that come and go. */
export interface SlotListener {
  acquired(slots: readonly AcquiredSlot[]): Promise<void>;
  /** How many sessions of these slots live here. */
  sessionsIn(slots: ReadonlySet<number>): number;
  /** A planned move: finish what runs, flush, close. Resolves when nothing of the slot writes any more, 45 s at most. */
  drain(slot: number): Promise<void>;
  /** Lost without being asked: close everything at once, write nothing. */
  lost(slots: readonly number[]): void;
}
