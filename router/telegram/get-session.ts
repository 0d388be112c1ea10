import type { SessionRecord } from "../../shared/contract/telegram/session.js";
import type { StoredSession } from "../../shared/session/session-reader.js";
import type { Account, SessionState } from "../../shared/session/state.js";
import { authenticate, type SessionPort } from "../endpoint/authenticate.js";
import type { HttpHandler } from "../http/handler.js";
import { json } from "../http/response.js";

/** GET /session: from the stored record alone, so that it answers while the session is disconnected or between two owners. */
export function getSession(sessions: SessionPort): HttpHandler {
  return async (request) => {
    const { session, secret } = await authenticate(sessions, "telegram", request);
    // Not the generated stringifier: on the long texts of this record (QR, picture) the engine's own takes 40 us less (bench session-record).
    return json(200, JSON.stringify(toRecord(session, secret)));
  };
}

/**
 * The session record. Without a living owner nobody holds the connection and nobody renews the QR: such a session shows as
 * disconnected, and its code is not ready.
 */
export function toRecord({ id, active, state, qrPng, webhook }: StoredSession, secret: string): SessionRecord {
  const { generatedId, name, username, phone, picture } = accountOf(state);
  return {
    id,
    generatedId,
    name,
    username,
    phone,
    sessionId: secret,
    isConnected: active && state.kind === "connected",
    qrcode: active && state.kind === "awaiting-qr" ? qrPng : "",
    isPasswordRequired: state.kind === "awaiting-password",
    passwordHint: state.kind === "awaiting-password" ? state.hint : "",
    picture,
    webhook: { url: webhook.url, token: webhook.token },
  };
}

const noAccount: Account = { generatedId: "", name: "", username: "", phone: "", picture: "" };

function accountOf(state: SessionState): Account {
  return state.kind === "connected" || state.kind === "disconnected" ? state.account : noAccount;
}
