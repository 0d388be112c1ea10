import { createHash } from "node:crypto";
import typia from "typia";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import type { SessionCredentials, SessionReference } from "../../shared/contract/session.js";
import { readJson } from "../endpoint/json-body.js";
import type { HttpHandler } from "../http/handler.js";
import { json } from "../http/response.js";

/** Sends the platform's `create-session`; `body` is the request's JSON object, not yet looked at. Rejects with 400 when it is not right. */
export type OpenSession = (
  id: SessionId,
  secretHash: string,
  body: object,
  signal: AbortSignal,
  requestId: string,
) => Promise<SessionReference>;

/**
 * POST /session, for callers who may (`authorize`): 201 with the new pair. The router makes both; only the hash of the secret travels on, so that
 * a repeat of the command creates nothing twice.
 */
export function createSession(open: OpenSession): HttpHandler {
  return async (request, signal) => {
    request.identified();
    const body = await readJson(request);
    const sessionId = newSessionSecret();
    const secretHash = createHash("sha256").update(sessionId).digest("hex");
    const created = newSessionId(Date.now());
    request.identified(created);
    const { id } = await open(created, secretHash, body, signal, request.requestId);
    return json(201, stringify({ id, sessionId }));
  };
}

const stringify = typia.json.createStringify<SessionCredentials>();
