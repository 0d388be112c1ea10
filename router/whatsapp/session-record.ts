import typia from "typia";
import type { SessionRecord } from "../../shared/contract/whatsapp/session.js";
import type { StoredSession } from "../../shared/session/session-reader.js";
import { toRecord } from "../session/get-session.js";

/** GET /session as JSON: the common record and the pairing code, which only an owner keeps alive. */
export function sessionRecord(session: StoredSession, secret: string): string {
  const { active, state } = session;
  const pairingCode = active && state.kind === "awaiting-qr" ? (state.pairingCode ?? "") : "";
  return stringify({ ...toRecord(session, secret), pairingCode });
}

const stringify = typia.json.createStringify<SessionRecord>();
