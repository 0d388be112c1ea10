import typia from "typia";
import type { PasskeyStatus } from "../../shared/contract/passkey.js";
import type { SessionState } from "../../shared/session/state.js";
import type { AdmissionPort } from "../endpoint/admission.js";
import type { Authenticated, SessionPort } from "../endpoint/authenticate.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import { json } from "../http/response.js";
import type { KeyPort } from "../tenant/principal.js";
import { passkeyCallers } from "./passkey-callers.js";

/** GET /session/passkey: uses only the stored record, so polling costs the session's owner nothing. */
export function getPasskey(sessions: SessionPort, keys: KeyPort, admission: AdmissionPort): CallerHandler<Authenticated> {
  return {
    authenticate: (request) => passkeyCallers.authenticate(sessions, keys, "whatsapp", request),
    handle: async (_request, _signal, { session }) =>
      await admission.admit(session.tenant, async () => json(200, stringify(passkeyStatus(session.state)))),
  };
}

/** Returns the public state of a linking by passkey. Pure. */
export function passkeyStatus(state: SessionState): PasskeyStatus {
  if (state.kind === "connected" || state.kind === "disconnected") return { ...nothingRequested, state: "done" };
  if (state.kind !== "awaiting-qr") return nothingRequested;
  const { passkey, refusal } = state;
  if (refusal !== undefined) return { ...nothingRequested, state: "failed", reason: refusal };
  if (passkey === undefined) return nothingRequested;
  const { step, options = null, code, expires, token } = passkey;
  return { state: step, options, code, expires, reason: "", token };
}

const nothingRequested: PasskeyStatus = { state: "none", options: null, code: "", expires: "", reason: "", token: "" };

const stringify = typia.json.createStringify<PasskeyStatus>();
