import { ApiError } from "../../shared/contract/api-error.js";
import { isEmpty, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { shownProxy } from "../../shared/tenant/proxy-address.js";
import { requireActive } from "../endpoint/authenticate.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import { faultsOfProxy } from "../api/proxy.js";
import { faultsOfUnknown, parseNothing } from "./admin-input.js";
import { actsOn, type AdminHandler } from "./admin-handler.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import type { StoredSession } from "../sessions/session-reader.js";
import type { Principal } from "../tenant/principal.js";
import { roleRefused } from "../http/errors.js";
import { findSession, type SessionsParts } from "./sessions.js";
import { readProxySource, type ProxyInUse, shownTo } from "./session-proxy-source.js";

/** A session with its proxy. */
export interface SessionProxy {
  /** Id of the session. */
  id: string;
  /** Proxy of the session. */
  proxy: ProxyInUse;
}

/** A proxy for a session. */
export interface ProxyForm {
  /** `socks5://[user:password@]host:port`, or `http://…`. Stored encrypted. Responses never include its login. */
  proxy: string;
}

/**
 * PUT /admin/sessions/{id}/proxy `{proxy}`: replaces the proxy of the tenant or key. 403 for a tenant's key if the creating key's proxy is
 * in use. Responds once the session has left its former connection.
 */
export function setProxy(parts: SessionsParts): AdminHandler {
  return change(parts, ({ body }) => parseProxyForm(Object(body) as object));
}

/** DELETE /admin/sessions/{id}/proxy: the session then uses its tenant's proxy, or connects directly. */
export function removeProxy(parts: SessionsParts): AdminHandler {
  return change(parts, (http) => {
    parseNothing(http);
    return "";
  });
}

/** Reports all faults at once. Pure. */
export function parseProxyForm(body: object): string {
  const { proxy }: { proxy?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["proxy"]), ...(isEmpty(proxy) ? [shouldNotBeEmpty("proxy")] : faultsOfProxy(proxy))];
  if (faults.length > 0 || typeof proxy !== "string") throw new ApiError(400, faults.join("\n"));
  return proxy;
}

/** The creating key's proxy belongs to the operator. A tenant that could remove it would bypass it. */
async function requireOwnProxy(parts: SessionsParts, principal: Principal, { id, tenant }: StoredSession): Promise<void> {
  if (principal.role === "admin") return;
  if ((await orStorageUnavailable(readProxySource(parts, id, tenant))).of === "key") throw roleRefused();
}

/** `parse` returns the session's own proxy, empty for none. */
function change(parts: SessionsParts, parse: (http: Pick<HttpInput, "body">) => string): AdminHandler {
  return async (request, signal, principal) => {
    const http = await toHttpInput(request);
    const session = await findSession(parts, principal, http, signal);
    actsOn(request, principal, session);
    const proxy = parse(http);
    await requireOwnProxy(parts, principal, session);
    const { id, platform, tenant } = await requireActive(parts.sessions, session, signal);
    await parts.commands.call(platform, "set-proxy", id, { proxy }, { signal, requestId: request.requestId });
    const shown: ProxyInUse =
      proxy === "" ? await orStorageUnavailable(readProxySource(parts, id, tenant)) : { of: "session", address: shownProxy(proxy) };
    return json(200, JSON.stringify({ id, proxy: shownTo(principal, shown) } satisfies SessionProxy));
  };
}
