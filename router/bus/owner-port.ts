import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { Ending } from "../../shared/flow/ending.js";

/** What the command client must know of who owns a slot. */
export interface OwnerPort {
  /** The slot's living owner, or `undefined` while there is none. */
  owner(slot: number): Promise<SlotOwner | undefined>;
  /** What is known of the slot may be wrong. */
  forget(slot: number): void;
  /** Resolves at the next change of members or slots, or after `ms`. */
  change(ms: number, signal: Ending): Promise<void>;
  onChange(listener: () => void): void;
  offChange(listener: () => void): void;
}
