import { createHash } from "node:crypto";
import typia from "typia";
import type { NewSession } from "../../shared/contract/command-row.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import type { SessionCredentials, SessionReference } from "../../shared/contract/session.js";
import { admit } from "../endpoint/admit.js";
import { authorize, invalidApiKey } from "../endpoint/authorize.js";
import { readJson } from "../endpoint/json-body.js";
import { both } from "../endpoint/validation.js";
import type { HttpHandler } from "../http/handler.js";
import { json } from "../http/response.js";
import type { KeyPort, Principal } from "../tenant/principal.js";
import type { RatePort } from "../tenant/request-rates.js";
import type { PlacePort } from "../tenant/session-places.js";
import { parseNotes } from "./notes.js";

export interface CreateParts {
  readonly keys: KeyPort;
  readonly rates: RatePort;
  readonly places: PlacePort;
}

/** Sends the platform's `create-session`. */
export type OpenSession = (id: SessionId, given: NewSession, signal: AbortSignal, requestId: string) => Promise<SessionReference>;

/**
 * POST /session, for callers who may (`authorize`): 201 with the new pair. The router makes both; only the hash of the secret travels on, so that
 * a repeat of the command creates nothing twice. `prepare` reads what else the platform wants of the body: 400 when it is not right.
 */
export function createSession({ keys, rates, places }: CreateParts, prepare: (body: object) => OpenSession): HttpHandler {
  return async (request, signal) => {
    // Whether a caller is of this machine is known until it leaves.
    const principal = authorize(keys, "create-session", request);
    const tenant = tenantOf(principal);
    request.identified({ who: principal.keyId, tenant });
    return await admit(rates, tenant, async () => {
      const body = await readJson(request);
      const [open, notes] = both(
        () => prepare(body),
        () => parseNotes(body),
      );
      const sessionId = newSessionSecret();
      const secretHash = createHash("sha256").update(sessionId).digest("hex");
      const reserved = newSessionId(Date.now());
      request.identified({ who: principal.keyId, tenant, session: reserved });
      // The key was right a moment ago.
      if (!(await places.reserve(tenant, reserved))) throw invalidApiKey();
      const { id } = await open(reserved, { secretHash, tenant, ...notes }, signal, request.requestId);
      return json(201, stringify({ id, sessionId }));
    });
  };
}

/** What belongs to no tenant creates for the one that always exists. */
function tenantOf(principal: Principal): TenantName {
  return principal.role === "admin" ? defaultTenant : principal.tenant;
}

const stringify = typia.json.createStringify<SessionCredentials>();
