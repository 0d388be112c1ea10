import type { SlotToken } from "../../shared/cluster/ownership.js";

export interface AcquiredSlot {
  slot: number;
  token: SlotToken;
  /** How long platform sockets of this slot stay closed: a former owner's sockets may be open for a moment longer. */
  settleMs: number;
  /** A former owner fell silent: sockets stay closed until the platform has dropped its connections. */
  silent: boolean;
}

/** Handles the sessions of slots that are acquired and released. */
export interface SlotListener {
  acquired(slots: readonly AcquiredSlot[]): Promise<void>;
  /** Number of sessions of these slots that live here. */
  sessionsIn(slots: ReadonlySet<number>): number;
  /** Planned move: finish what runs, flush, close. Resolves when nothing of the slot writes any more, after at most 45 s. */
  drain(slot: number): Promise<void>;
  /** Unplanned loss: close everything at once and write nothing. */
  lost(slots: readonly number[]): void;
}
