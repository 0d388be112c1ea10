import type { SessionRecord as CommonRecord, WebhookSettings } from "../../shared/contract/session.js";
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
 * Returns GET /session as JSON: the common record and the pairing code. A pending passkey or a refusal by the platform shows in
 * `passwordHint`; `isPasswordRequired` stays false, because no password can be sent.
 */
export function sessionRecord(session: StoredSession, secret: string, webhook: WebhookSettings): string {
  const { active, responsive, state } = session;
  const pairingCode = active && responsive && state.kind === "awaiting-qr" ? (state.pairingCode ?? "") : "";
  const record = toRecord(session, secret, webhook);
  const passwordHint = (state.kind === "awaiting-qr" ? hintOf(state) : undefined) ?? record.passwordHint;
  return stringify({ ...record, passwordHint, pairingCode });
}

function hintOf({ refusal, passkey }: SessionState & { kind: "awaiting-qr" }): string | undefined {
  return refusal ?? (passkey === undefined ? undefined : hints[passkey.step]);
}

/** Hints for people who read only the record. */
const hints: Readonly<Record<PasskeyStep["step"], string>> = {
  challenge: "the account's passkey is asked for (GET /session/passkey)",
  sent: "the passkey is with the platform, the phone goes on (GET /session/passkey)",
  confirm: "a code is to be compared with the phone's (GET /session/passkey)",
};

// `JSON.stringify` is faster than the generated stringifier with a long text such as the picture (bench session-record).
const stringify = (record: SessionRecord): string => JSON.stringify(record);
