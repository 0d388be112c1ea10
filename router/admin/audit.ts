import type { Instant } from "../../shared/contract/plain-values.js";
import { isSessionId } from "../../shared/contract/ids.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { positionsOf, readRows, type AuditFilter } from "../audit/audit-stream.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import type { Principal } from "../tenant/principal.js";
import { parsePage, parseQuery, type PageForm } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { asked } from "./asked.js";
import { instantOf } from "./instant.js";
import { notDatabaseId, notNextOfPage, notTime } from "../errors.js";

/** `GET /admin/audit`. */
export interface AuditQuery extends PageForm {
  /** Only what was done from this instant on. */
  since?: Instant;
  /** Only what concerns this tenant. */
  tenant?: string;
  /** Only what concerns this session. */
  session?: string;
}

/** GET /admin/audit: who did what, the oldest first, as far as it is kept and the caller may see it. */
export function listAudit(redis: RedisClient): AdminHandler {
  return async (request, _signal, principal) => {
    const visible = visibleTo(principal, parseFilter(await toHttpInput(request)));
    return json(200, JSON.stringify(visible === undefined ? { docs: [], next: "" } : await asked(readRows(redis, visible))));
  };
}

export function parseFilter(http: Pick<HttpInput, "query">): AuditFilter {
  const { since = "", tenant = "", session = "", ...page } = parseQuery(http, ["since", "tenant", "session", "limit", "after"]);
  const { limit, after } = parsePage(page);
  if (positionsOf(after) === undefined) throw notNextOfPage();
  if (session !== "" && !isSessionId(session)) throw notDatabaseId("session");
  return { since: since === "" ? 0 : instant(since), tenant, session, limit, after };
}

/** Whoever belongs to a tenant sees that one's rows; `undefined` where those are not asked for. */
export function visibleTo(principal: Principal, filter: AuditFilter): AuditFilter | undefined {
  if (principal.role === "admin") return filter;
  return ["", principal.tenant].includes(filter.tenant) ? { ...filter, tenant: principal.tenant, owner: principal } : undefined;
}

function instant(text: string): number {
  const at = instantOf(text);
  if (at === undefined || at < 0) throw notTime("since");
  return at;
}
