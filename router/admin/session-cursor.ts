import { slotCount } from "../../shared/limits.js";
import { notNextOfPage } from "../http/errors.js";

/** Where a walk over all sessions goes on: in this slot, behind this id; empty: at the slot's beginning. */
export interface SessionCursor {
  readonly slot: number;
  readonly id: string;
}

/** 400 for a text that no page gave out. */
export function parseCursor(text: string): SessionCursor {
  if (text === "") return { slot: 0, id: "" };
  const [, slot = "", id = ""] = /^(\d{1,4})\.([0-9a-f]{24})?$/.exec(text) ?? [];
  if (slot === "" || Number(slot) >= slotCount) throw notNextOfPage();
  return { slot: Number(slot), id };
}

/** Empty behind the last slot. */
export function formatCursor({ slot, id }: SessionCursor): string {
  return slot >= slotCount ? "" : `${slot}.${id}`;
}
