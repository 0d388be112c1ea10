import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { Ending } from "../../shared/flow/ending.js";

/** The command client's view of slot ownership. */
export interface OwnerPort {
  /** Resolves with the slot's living owner, or `undefined` while there is none. */
  owner(slot: number): Promise<SlotOwner | undefined>;
  /** Drops the remembered owner of the slot, because it may be wrong. */
  forget(slot: number): void;
  /** Resolves at the next change of members or slots, or after `ms`. */
  change(ms: number, signal: Ending): Promise<void>;
  onChange(listener: () => void): void;
  offChange(listener: () => void): void;
}
