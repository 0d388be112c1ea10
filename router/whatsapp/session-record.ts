import type { SessionRecord as CommonRecord } from "../../shared/contract/session.js";
import type { PasskeyStep } from "../../shared/contract/passkey.js";
import type { SessionState } from "../../shared/session/state.js";
import type { StoredSession } from "../sessions/session-reader.js";
import { toRecord } from "../api/get-session.js";

/** The account of a session, and the state of its login. */
export interface SessionRecord extends CommonRecord {
  /** Eight characters to enter on the phone. Empty unless the session was created with `phone` and is waiting for the code. */
  pairingCode: string;
}

/**
 * GET /session as JSON: the common record and the pairing code, which only an owner keeps alive. An account whose passkey is asked for, or that the platform does not let in, says so
 * in `passwordHint`; `isPasswordRequired` stays false, because a password is nothing that a caller could send.
 */
export function sessionRecord(session: StoredSession, secret: string): string {
  const { active, heard, state } = session;
  const pairingCode = active && heard && state.kind === "awaiting-qr" ? (state.pairingCode ?? "") : "";
  const record = toRecord(session, secret);
  const passwordHint = (state.kind === "awaiting-qr" ? hintOf(state) : undefined) ?? record.passwordHint;
  return stringify({ ...record, passwordHint, pairingCode });
}

function hintOf({ refusal, passkey }: SessionState & { kind: "awaiting-qr" }): string | undefined {
  return refusal ?? (passkey === undefined ? undefined : hints[passkey.step]);
}

/** For people who look at the record alone. */
const hints: Readonly<Record<PasskeyStep["step"], string>> = {
  challenge: "the account's passkey is asked for (GET /session/passkey)",
  sent: "the passkey is with the platform, the phone goes on (GET /session/passkey)",
  confirm: "a code is to be compared with the phone's (GET /session/passkey)",
};

// Not a generated stringifier: the engine's own is faster with a long text like the picture (bench session-record).
const stringify = (record: SessionRecord): string => JSON.stringify(record);
