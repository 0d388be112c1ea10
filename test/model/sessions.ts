import type { SessionId } from "../../shared/contract/ids.js";
import { slotOf } from "../../shared/contract/slot.js";

/** Number of slots in the model, which are the first of the product's 4096. Each slot has one session. */
export const slots = 6;

/** The session id of each slot. */
export const sessionIds: readonly SessionId[] = Array.from({ length: slots }, (_, slot) => sessionIn(slot));

function sessionIn(slot: number): SessionId {
  for (let number = 0; ; number++) {
    const id = number.toString(16).padStart(24, "0") as SessionId;
    if (slotOf(id) === slot) return id;
  }
}
