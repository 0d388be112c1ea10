import type { SessionRecord as CommonRecord } from "../../shared/contract/session.js";
import type { StoredSession } from "../session/session-reader.js";
import { toRecord } from "../session/get-session.js";

/** One account: who it is, and how far its login has come. */
export interface SessionRecord extends CommonRecord {
  /** Eight characters to type on the phone; empty unless they were asked for and are waiting. */
  pairingCode: string;
}

/**
 * GET /session as JSON: the common record and the pairing code, which only an owner keeps alive. An account that the platform does not let in says why
 * in `passwordHint`; `isPasswordRequired` stays false, because there is nothing that a caller could send.
 */
export function sessionRecord(session: StoredSession, secret: string): string {
  const { active, heard, state } = session;
  const pairingCode = active && heard && state.kind === "awaiting-qr" ? (state.pairingCode ?? "") : "";
  const record = toRecord(session, secret);
  const passwordHint = (state.kind === "awaiting-qr" ? state.refusal : undefined) ?? record.passwordHint;
  return stringify({ ...record, passwordHint, pairingCode });
}

// Not a generated stringifier: the engine's own is faster with a long text like the picture (bench session-record).
const stringify = (record: SessionRecord): string => JSON.stringify(record);
