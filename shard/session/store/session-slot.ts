import type { SessionId } from "../../../shared/contract/ids.js";
import type { SlotToken } from "../../../shared/cluster/ownership.js";

/** The token under which one session is written. It is read at each write, because a slot can come back under a new one. */
export interface SessionSlot {
  id: SessionId;
  token: SlotToken;
}
