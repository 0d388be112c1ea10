import { json } from "../http/response.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { actionsOf } from "../tenant/judge.js";
import { parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-route.js";

/** GET /admin/self: whom the caller's key stands for, and what it may ask for. So nobody has to keep a table of roles of his own. */
export function getSelf(): AdminHandler {
  return async (request, _signal, principal) => {
    parseQuery(await toHttpInput(request), []);
    const { keyId, role } = principal;
    const tenant = principal.role === "admin" ? null : principal.tenant;
    return json(200, JSON.stringify({ key: keyId, role, tenant, may: actionsOf(role) }));
  };
}
