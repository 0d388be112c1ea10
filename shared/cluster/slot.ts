import { xxHash32 } from "js-xxhash";
import type { SessionId } from "../contract/ids.js";
import { slotCount } from "../limits.js";

/** `xxh32(id) & 4095` (shared/README.md, "Slots"). Fixed for ever. */
export function slotOf(id: SessionId): number {
  return xxHash32(id, 0) & (slotCount - 1);
}
