import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { mustBeOneOf } from "../../shared/contract/rules.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { positionsOf, readRows, type AuditFilter } from "./audit/audit-stream.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import type { Principal } from "../tenant/principal.js";
import { parsePage, parseQuery, type PageForm } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { adminRoutes } from "./admin-routes.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { instantOf } from "./instant.js";
import { notDatabaseId, notNextOfPage, notTime } from "../http/errors.js";

/** `GET /admin/audit`. */
export interface AuditQuery extends PageForm {
  /** Only entries from this time on. */
  since?: Instant;
  /** Only entries of this tenant. */
  tenant?: string;
  /** Only entries of this session. */
  session?: string;
  /** Sort order. */
  order?: AuditOrder & tags.JsonSchemaPlugin<{ default: "oldest" }>;
  /** `0` leaves out calls that only read. */
  reads?: ("0" | "1") & tags.JsonSchemaPlugin<{ default: "1" }>;
}

const orders = ["oldest", "newest"] as const;
type AuditOrder = (typeof orders)[number];

/** Names of the calls that change nothing. */
const readNames: ReadonlySet<string> = new Set(
  Object.entries(adminRoutes).flatMap(([name, { route }]) => (route.startsWith("GET ") ? [name] : [])),
);

/** GET /admin/audit: the kept entries that the caller may see, oldest or newest first. */
export function listAudit(redis: RedisClient): AdminHandler {
  return async (request, _signal, principal) => {
    const visible = visibleTo(principal, parseFilter(await toHttpInput(request)));
    return json(200, JSON.stringify(visible === undefined ? { docs: [], next: "" } : await orStorageUnavailable(readRows(redis, visible))));
  };
}

export function parseFilter(http: Pick<HttpInput, "query">): AuditFilter {
  const query = parseQuery(http, ["since", "tenant", "session", "order", "reads", "limit", "after"]);
  const { since = "", tenant = "", session = "", order = "oldest", reads = "1", ...page } = query;
  const { limit, after } = parsePage(page);
  if (positionsOf(after) === undefined) throw notNextOfPage();
  if (session !== "" && !isSessionId(session)) throw notDatabaseId("session");
  if (!orders.some((candidate) => candidate === order)) throw new ApiError(400, mustBeOneOf("order", orders));
  if (!["0", "1"].includes(reads)) throw new ApiError(400, mustBeOneOf("reads", ["0", "1"]));
  return {
    since: since === "" ? 0 : instant(since),
    tenant,
    session,
    without: reads === "0" ? readNames : undefined,
    isNewestFirst: order === "newest" ? true : undefined,
    limit,
    after,
  };
}

/** Limits a tenant's key to its own tenant's rows. Returns `undefined` if the filter excludes them. */
export function visibleTo(principal: Principal, filter: AuditFilter): AuditFilter | undefined {
  if (principal.role === "admin") return filter;
  return ["", principal.tenant].includes(filter.tenant) ? { ...filter, tenant: principal.tenant, owner: principal } : undefined;
}

function instant(text: string): number {
  const at = instantOf(text);
  if (at === undefined || at < 0) throw notTime("since");
  return at;
}
