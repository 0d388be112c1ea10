import { slotCount } from "../../shared/limits.js";
import { notNextOfPage } from "../http/errors.js";

/** Position in a walk over all sessions: a slot, and an id after which it continues; empty for the start of the slot. */
export interface SessionCursor {
  readonly slot: number;
  readonly id: string;
}

/** Throws 400 for a text that no page returned. */
export function parseCursor(text: string): SessionCursor {
  if (text === "") return { slot: 0, id: "" };
  const [, slot = "", id = ""] = /^(\d{1,4})\.([0-9a-f]{24})?$/.exec(text) ?? [];
  if (slot === "" || Number(slot) >= slotCount) throw notNextOfPage();
  return { slot: Number(slot), id };
}

/** Returns an empty text after the last slot. */
export function formatCursor({ slot, id }: SessionCursor): string {
  return slot >= slotCount ? "" : `${slot}.${id}`;
}
