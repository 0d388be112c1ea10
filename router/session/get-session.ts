import type { Platform } from "../../shared/contract/platform.js";
import type { SessionRecord, WebhookSettings } from "../../shared/contract/session.js";
import type { StoredSession } from "../../shared/session/session-reader.js";
import type { Account, SessionState } from "../../shared/session/state.js";
import { authenticate, type SessionPort } from "../endpoint/authenticate.js";
import type { HttpHandler } from "../http/handler.js";
import { json } from "../http/response.js";

/**
 * GET /session: from the stored record alone, so that it answers while the session is disconnected or between two owners.
 * `reply` makes the platform's own JSON of it.
 */
export function getSession(sessions: SessionPort, platform: Platform, reply: (session: StoredSession, secret: string) => string): HttpHandler {
  return async (request) => {
    const { session, secret } = await authenticate(sessions, platform, request);
    return json(200, reply(session, secret));
  };
}

/**
 * The fields of the session record that both platforms have. Without a living owner nobody holds the connection and nobody renews
 * the QR: such a session shows as disconnected, and its code is not ready. Variant A has no webhook and shows it as off.
 */
export function toRecord({ id, active, state, qrPng }: StoredSession, secret: string, webhook: WebhookSettings = { url: "", token: "" }): SessionRecord {
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
