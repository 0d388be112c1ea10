import type { SessionRecord as CommonRecord } from "../session.js";

/** The record of variant B, and the code to type on the phone; empty unless it was asked for and is waiting. */
export interface SessionRecord extends CommonRecord {
  pairingCode: string;
}
