import { json } from "../http/response.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { actionsOf, type Action } from "../tenant/judge.js";
import type { KeyRole } from "../tenant/principal.js";
import { parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";

/** The API key of the request. */
export interface CurrentKey {
  /** Id of the key. `local` for a local caller if no key is configured. */
  readonly key: string;
  /** Role of the key. */
  readonly role: KeyRole;
  /** Tenant of the key. `null` for the role `admin`. */
  readonly tenant: string | null;
  /** Allowed actions. */
  readonly may: readonly Action[];
}

/** GET /admin/self: returns the key's role, tenant and allowed actions, so that clients need no table of roles. */
export function getSelf(): AdminHandler {
  return async (request, _signal, principal) => {
    parseQuery(await toHttpInput(request), []);
    const { keyId, role } = principal;
    const tenant = principal.role === "admin" ? null : principal.tenant;
    return json(200, JSON.stringify({ key: keyId, role, tenant, may: actionsOf(role) } satisfies CurrentKey));
  };
}
