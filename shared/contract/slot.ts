import { xxHash32 } from "js-xxhash";
import type { SessionId } from "./ids.js";
import { slotCount } from "../limits.js";

/** `xxh32(id) & 4095` (shared/README.md, "Slots"). Fixed for ever. */
export function slotOf(id: SessionId): number {
  if (id !== lastId) {
    lastSlot = xxHash32(id, 0) & (slotCount - 1);
    lastId = id;
  }
  return lastSlot;
}

/** The keys of one session are named one after the other, up to ten for a script. */
let lastId: SessionId | undefined;
let lastSlot = 0;
