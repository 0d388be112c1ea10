import { createHash } from "node:crypto";
import { BlockList, isIP } from "node:net";
import typia from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import type { SessionCredentials, SessionReference } from "../../shared/contract/session.js";
import type { ApiKeys } from "../endpoint/api-keys.js";
import { readJson } from "../endpoint/json-body.js";
import type { HttpHandler } from "../http/handler.js";
import { singleHeader, type HttpRequest } from "../http/request.js";
import { json } from "../http/response.js";

/** Sends the platform's `create-session`; `body` is the request's JSON object, not yet looked at. Rejects with 400 when it is not right. */
export type OpenSession = (id: SessionId, secretHash: string, body: object, signal: AbortSignal) => Promise<SessionReference>;

/**
 * POST /session (design section 9): 201 with the new pair. The router makes both; only the hash of the secret travels on, so that
 * a repeat of the command creates nothing twice.
 */
export function createSession(apiKeys: ApiKeys, open: OpenSession): HttpHandler {
  return async (request, signal) => {
    authorize(apiKeys, request);
    const body = await readJson(request);
    const sessionId = newSessionSecret();
    const secretHash = createHash("sha256").update(sessionId).digest("hex");
    const { id } = await open(newSessionId(Date.now()), secretHash, body, signal);
    return json(201, stringify({ id, sessionId }));
  };
}

const stringify = typia.json.createStringify<SessionCredentials>();

/** With keys configured: 401 without a right one. Without: only this machine may create (403), and no proxy may lend it its address. */
function authorize(apiKeys: ApiKeys, request: HttpRequest): void {
  if (apiKeys.isEmpty) {
    if (!isLocal(request)) throw new ApiError(403, "sessions can be created from this machine only, until an api key is configured");
    return;
  }
  const key = singleHeader(request, "x-api-key");
  if (key === undefined || !apiKeys.allows(key, "create")) throw new ApiError(401, "invalid api key");
}

function isLocal({ address, headers }: HttpRequest): boolean {
  if (headers.has("x-forwarded-for") || headers.has("forwarded")) return false;
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Also matches IPv4 addresses in their IPv6 form. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
