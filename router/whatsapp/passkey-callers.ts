import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { sessionNotFound } from "../../shared/contract/errors.js";
import { isSessionId } from "../../shared/contract/ids.js";
import type { SessionState } from "../../shared/session/state.js";
import { authenticate, credential, readClaim } from "../endpoint/authenticate.js";
import type { Callers } from "../endpoint/endpoint.js";
import { WrongCredentials } from "../tenant/guard/wrong-credentials.js";

/**
 * Callers who may take part in a linking by passkey: those of the session, and the holder of the attempt's token, which replaces
 * `session-id` for that attempt alone. So the owner's browser never gets the session's secret.
 */
export const passkeyCallers: Callers = {
  check: (keys, request) => (request.headers.has(tokenHeader) ? readToken(request) : readClaim(keys, request)),
  authenticate: async (sessions, keys, platform, request) => {
    if (!request.headers.has(tokenHeader)) return await authenticate(sessions, keys, platform, request);
    const { id, token } = readToken(request);
    const session = isSessionId(id) ? await sessions.read(platform, id) : undefined;
    if (!isTokenOf(session?.state, token) || session === undefined) throw new WrongCredentials(sessionNotFound(), id);
    request.identified({ who: "passkey", tenant: session.tenant, session: session.id });
    return { session, secret: "" };
  },
};

const tokenHeader = "passkey-token";

function readToken(request: Parameters<Callers["check"]>[1]): { readonly id: string; readonly token: string } {
  return { id: credential(request, "id"), token: credential(request, tokenHeader) };
}

function isTokenOf(state: SessionState | undefined, given: string): boolean {
  const token = state && tokenIn(state);
  const [right, sent] = [token ?? nobodysToken, given].map((text) => createHash("sha256").update(text).digest());
  return right !== undefined && sent !== undefined && timingSafeEqual(right, sent) && token !== undefined;
}

function tokenIn(state: SessionState): string | undefined {
  if (state.kind === "awaiting-qr") return state.passkey?.token ?? state.refusedToken;
  if (state.kind !== "connected" || state.linked === undefined) return undefined;
  return Date.parse(state.linked.until) > Date.now() ? state.linked.token : undefined;
}

/** Compared with the token when no attempt is in progress. */
const nobodysToken = randomBytes(32).toString("base64url");
