import { createHash } from "node:crypto";
import typia from "typia";
import type { Ending } from "../../shared/flow/ending.js";
import { ApiError } from "../../shared/contract/api-error.js";
import type { NewSession } from "../../shared/contract/command-row.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { defaultTenant, type TenantLife } from "../../shared/contract/tenant.js";
import type { SessionCredentials, SessionReference } from "../../shared/contract/session.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { AdmissionPort } from "../endpoint/admission.js";
import { authorize } from "../endpoint/authorize.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import { readJson } from "../endpoint/json-body.js";
import { both } from "../endpoint/validation.js";
import type { HttpRequest } from "../http/request.js";
import { json, type JsonResponse } from "../http/response.js";
import type { Creations, NewPair } from "../sessions/idempotency/creations.js";
import { readIdempotencyKey, replayedHeader } from "../sessions/idempotency/idempotency-key.js";
import { identify } from "../sessions/idempotency/request-identity.js";
import type { KeyPort, Principal } from "../tenant/principal.js";
import type { PlacePort } from "../tenant/session-places.js";
import { parseNotes } from "./notes.js";
import { proxyOfKey } from "./proxy.js";
import { invalidApiKey } from "../http/errors.js";

/** Sends the platform's `create-session`. */
export type OpenSession = (id: SessionId, given: NewSession, signal: Ending, requestId: string) => Promise<SessionReference>;

export interface CreateSessionParts {
  readonly keys: KeyPort;
  readonly admission: AdmissionPort;
  readonly places: PlacePort;
  readonly creations: Pick<Creations, "claim" | "finish">;
  readonly ring: Pick<KeyRing, "macs" | "open">;
}

/** Checks the head alone. Throws if the caller may not create sessions or the idempotency key is malformed. */
export function checkCreation(keys: KeyPort, request: Pick<HttpRequest, "headers" | "address">): void {
  authorize(keys, "create-session", request);
  readIdempotencyKey(request);
}

/**
 * POST /session: responds with 201 and the new id and secret. The router makes both and sends only the secret's hash, so a repeated
 * command creates nothing twice. `prepare` parses the platform's fields; 400 if they are wrong.
 */
export function createSession(
  { keys, admission, places, creations, ring }: CreateSessionParts,
  platform: Platform,
  prepare: (body: object) => OpenSession,
): CallerHandler<Principal> {
  const handle: CallerHandler<Principal>["handle"] = async (request, signal, principal) => {
    const owner = ownerFor(principal);
    const { tenant } = owner;
    request.identified({ who: principal.keyId, ...owner });
    return await admission.admit(tenant, async () => {
      const body = await readJson(request);
      const [open, notes] = both(
        () => prepare(body),
        () => parseNotes(body),
      );
      const ofKey = notes.proxy === undefined || notes.proxy === "" ? proxyOfKey(ring, principal) : undefined;
      const response = (pair: NewPair, headers = {}): JsonResponse => {
        request.identified({ who: principal.keyId, ...owner, session: pair.id });
        return json(201, stringify(pair), headers);
      };
      const fresh = { id: newSessionId(Date.now()), sessionId: newSessionSecret() };
      const create = async ({ id, sessionId }: NewPair): Promise<void> => {
        const secretHash = createHash("sha256").update(sessionId).digest("hex");
        // The tenant was deleted after its key had been checked.
        if (!(await places.reserve(owner, id))) throw invalidApiKey();
        try {
          await open(id, { secretHash, ...owner, ...notes, ...ofKey }, signal, request.requestId);
        } catch (error) {
          // An earlier request with the key may have created a session that is not `fresh`.
          if (id === fresh.id && error instanceof ApiError && error.status < 500) await places.release(tenant, id);
          throw error;
        }
      };
      const key = readIdempotencyKey(request);
      if (key === undefined) {
        await create(fresh);
        return response(fresh);
      }
      // The scope is the API key, not the tenant: the response holds a secret that the tenant's other keys must not get.
      const caller = `${tenant}.${principal.keyId}`;
      const identity = identify(ring, { scope: `caller ${caller}`, key, endpoint: `${platform} create-session`, body });
      const { pair, replayed, done } = await creations.claim(caller, identity, fresh);
      if (!done) {
        await create(pair);
        await creations.finish(caller, identity);
      }
      return response(pair, replayed ? replayedHeader : {});
    });
  };
  // Runs at once, because the caller's address is known only until it leaves.
  return { authenticate: (request) => authorize(keys, "create-session", request), handle };
}

/** An admin key belongs to no tenant, so it creates sessions for the default tenant. */
function ownerFor(principal: Principal): TenantLife {
  if (principal.role === "admin") return { tenant: defaultTenant, incarnation: "" };
  const { tenant, incarnation } = principal;
  return { tenant, incarnation };
}

const stringify = typia.json.createStringify<SessionCredentials>();
