import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { sessionNotFound } from "../../shared/contract/errors.js";
import { isSessionId } from "../../shared/contract/ids.js";
import type { SessionState } from "../../shared/session/state.js";
import { authenticate, credential, readClaim } from "../endpoint/authenticate.js";
import type { Callers } from "../endpoint/endpoint.js";
import { WrongCredentials } from "../tenant/guard/wrong-credentials.js";

/**
 * Who may take part in a linking by passkey: whoever may use the session, and whoever has the token of the attempt, in the place of `session-id`. So the browser of the account's owner never sees what acts as the
 * account. A token is good for its own attempt alone: its challenge is answered once, its code confirmed once, and with the attempt it is gone. Of an attempt that failed it still reads the reason, until the session
 * begins anew; of one that linked the account it reads that, for as long as the last step might have taken.
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

/** What is compared where no attempt is under way. */
const nobodysToken = randomBytes(32).toString("base64url");
