import type { SessionRecord as CommonRecord } from "../session.js";

/** Design section 9: the record of variant B, and the code to type on the phone; empty unless it was asked for and is waiting. */
export interface SessionRecord extends CommonRecord {
  pairingCode: string;
}
