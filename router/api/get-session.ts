import type { Platform } from "../../shared/contract/platform.js";
import type { SessionRecord, WebhookSettings } from "../../shared/contract/session.js";
import type { StoredSession } from "../sessions/session-reader.js";
import { isUnreadable, type Account, type SessionState } from "../../shared/session/state.js";
import { authenticate, authenticateAtHand, type Authenticated, type SessionPort } from "../endpoint/authenticate.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import type { KeyPort } from "../tenant/principal.js";
import type { AdmissionPort } from "../endpoint/admission.js";
import type { AtHand } from "../http/handler.js";
import { WrongCredentials } from "../tenant/guard/wrong-credentials.js";
import { CachedResponses } from "./cached-responses.js";

/**
 * GET /session: uses only the stored record, so it works while the session is disconnected or between two owners. Responds in this turn if
 * this process knows the record. `reply` makes the platform's JSON.
 */
export function getSession(
  sessions: SessionPort,
  keys: KeyPort,
  admission: AdmissionPort,
  platform: Platform,
  reply: (session: StoredSession, secret: string) => string,
): CallerHandler<Authenticated> & { readonly atHand: AtHand } {
  const cachedResponses = new CachedResponses(reply);
  return {
    atHand: (request) => {
      const caller = callerAtHand(() => authenticateAtHand(sessions, keys, platform, request));
      const headers = caller && admission.admitAtHand(caller.session.tenant);
      return caller && headers && cachedResponses.of(caller.session, caller.secret, headers);
    },
    authenticate: (request) => authenticate(sessions, keys, platform, request),
    handle: async (_request, _signal, { session, secret }) =>
      await admission.admit(session.tenant, async () => cachedResponses.of(session, secret, {})),
  };
}

/** Leaves errors about the caller to the handler. */
function callerAtHand(find: () => Authenticated | undefined): Authenticated | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof WrongCredentials) return undefined;
    throw error;
  }
}

/**
 * Returns the fields that both platforms share. Without an owner that has recently reported, the session shows as disconnected and without
 * a QR code.
 */
export function toRecord(
  { id, active, responsive, state, qrPng, lastError }: StoredSession,
  secret: string,
  { url, token, events }: WebhookSettings,
): SessionRecord {
  const { generatedId, name, username, phone, picture } = accountOf(state);
  return {
    id,
    generatedId,
    name,
    username,
    phone,
    sessionId: secret,
    isConnected: active && responsive && state.kind === "connected",
    qrcode: active && responsive && state.kind === "awaiting-qr" ? qrPng : "",
    isPasswordRequired: state.kind === "awaiting-password",
    passwordHint: hintOf(state),
    picture,
    webhook: { url, token, ...(events === undefined ? {} : { events }) },
    ...(lastError === "" ? {} : { lastError }),
  };
}

function hintOf(state: SessionState): string {
  if (state.kind === "awaiting-password") return state.hint;
  return state.kind !== "connected" && isUnreadable(state) ? "the stored login cannot be opened" : "";
}

const noAccount: Account = { generatedId: "", name: "", username: "", phone: "", picture: "" };

function accountOf(state: SessionState): Account {
  return state.kind === "connected" || state.kind === "disconnected" ? state.account : noAccount;
}
