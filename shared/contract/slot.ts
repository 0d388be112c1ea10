import { xxHash32 } from "js-xxhash";
import type { SessionId } from "./ids.js";
import { slotCount } from "../limits.js";

/** Returns `xxh32(id) & 4095` (shared/README.md, "Slots"). This formula must never change. */
export function slotOf(id: SessionId): number {
  if (id !== lastId) {
    lastSlot = xxHash32(id, 0) & (slotCount - 1);
    lastId = id;
  }
  return lastSlot;
}

/** The last result. Keys of one session are built in a row, up to ten for a script. */
let lastId: SessionId | undefined;
let lastSlot = 0;
