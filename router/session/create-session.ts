import { createHash } from "node:crypto";
import typia from "typia";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import type { SessionCredentials, SessionReference } from "../../shared/contract/session.js";
import type { KeyRing } from "../../shared/crypto/key-ring.js";
import { readJson } from "../endpoint/json-body.js";
import type { HttpHandler } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import { json } from "../http/response.js";
import type { Creations, NewPair } from "../idempotency/creations.js";
import { readIdempotencyKey, replayedHeader } from "../idempotency/idempotency-key.js";
import { identify } from "../idempotency/request-identity.js";

export interface CreateSession<I> {
  /** Of a platform, so that a key which was used on one is not for the other. */
  readonly endpoint: string;
  /** Throws 400 when the request's JSON object is not right. */
  readonly parse: (body: object) => I;
  /** Sends the platform's `create-session`. */
  readonly open: (id: SessionId, secretHash: string, input: I, signal: AbortSignal) => Promise<SessionReference>;
}

export interface CreateSessionParts {
  readonly creations: Pick<Creations, "claim" | "finish">;
  readonly ring: Pick<KeyRing, "macs">;
  /** Whose idempotency keys a request's are. */
  readonly caller: (request: Pick<HttpRequest, "headers">) => string;
}

/**
 * POST /session, for callers who may (`authorize`): 201 with the new pair. The router makes both; only the hash of the secret travels on, so that
 * a repeat of the command creates nothing twice.
 */
export function createSession<I>(
  { endpoint, parse, open }: CreateSession<I>,
  { creations, ring, caller }: CreateSessionParts,
): HttpHandler {
  return async (request, signal) => {
    request.identified();
    const body = await readJson(request);
    const input = parse(body);
    const create = async ({ id, sessionId }: NewPair): Promise<void> => {
      await open(id, createHash("sha256").update(sessionId).digest("hex"), input, signal);
    };
    const fresh = { id: newSessionId(Date.now()), sessionId: newSessionSecret() };
    const key = readIdempotencyKey(request);
    if (key === undefined) {
      await create(fresh);
      return json(201, stringify(fresh));
    }
    const scope = caller(request);
    const identity = identify(ring, { scope: `caller ${scope}`, key, endpoint, body });
    const { pair, replayed, done } = await creations.claim(scope, identity, fresh);
    if (!done) {
      await create(pair);
      await creations.finish(scope, identity);
    }
    return json(201, stringify(pair), replayed ? replayedHeader : {});
  };
}

const stringify = typia.json.createStringify<SessionCredentials>();
