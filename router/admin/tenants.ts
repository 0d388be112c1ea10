import { serverBusy } from "../../shared/contract/errors.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { defaultTenant, isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { readJson } from "../endpoint/json-body.js";
import type { HttpRequest } from "../http/request.js";
import { json, type JsonAnswer } from "../http/response.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { SessionPlaces } from "../tenant/session-places.js";
import { noQuotas, type Quotas, type TenantRecord } from "../tenant/records.js";
import { parsePage, parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { pageOf } from "./page.js";
import { parseNewTenant, parseTenantChange, requireWhole } from "./tenant-body.js";
import { defaultTenantStays, noMoreTenants, tenantExists, tenantHasSessions, tenantNotFound } from "../errors.js";

export interface TenantAdminParts {
  readonly store: Pick<DirectoryStore, "read" | "createTenant" | "changeTenant" | "deleteTenant">;
  /** Looks at once after a change, so that the caller's next request finds it here. */
  readonly directory: Pick<KeyDirectory, "refresh">;
  readonly places: Pick<SessionPlaces, "tidy">;
  readonly log: Log;
}

/** Another change came between so often that something is wrong. */
const changesMax = 5;

/** GET /admin/tenants, in the order of their names. */
export function listTenants({ store }: TenantAdminParts): AdminHandler {
  return async (request) => {
    const query = parsePage(parseQuery(await toHttpInput(request), ["limit", "after"]));
    const page = pageOf([...(await store.read()).tenants.values()], ({ name }) => name, query);
    return json(200, JSON.stringify({ ...page, docs: page.docs.map(shown) }));
  };
}

/** POST /admin/tenants `{name, quotas?}`. */
export function createTenant({ store, directory, log }: TenantAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const { name, quotas } = parseNewTenant(await readJson(request));
    requireWhole(quotas);
    const tenant: TenantRecord = { name, created: new Date().toISOString(), quotas };
    const outcome = await store.createTenant(tenant);
    if (outcome === "EXISTS") throw tenantExists();
    if (outcome === "FULL") throw noMoreTenants();
    await directory.refresh();
    log.info({ tenant: name, key: keyId }, "audit: tenant created");
    return answer(201, tenant);
  };
}

/** GET /admin/tenants/{name}. */
export function getTenant({ store }: TenantAdminParts): AdminHandler {
  return async (request) => answer(200, await stored(store, nameIn(request)));
}

/** PATCH /admin/tenants/{name} `{quotas?}`: a quota below what is used is taken, and applies from then on. */
export function changeTenant({ store, directory, log }: TenantAdminParts): AdminHandler {
  return async (request, signal, { keyId }) => {
    const name = nameIn(request);
    const quotas = parseTenantChange(await readJson(request));
    for (let tries = 0; tries < changesMax; tries++) {
      signal.throwIfAborted();
      const before = await stored(store, name);
      const after: TenantRecord = { ...before, quotas: { ...before.quotas, ...quotas } };
      requireWhole(after.quotas);
      if ((await store.changeTenant(before, after)) !== "DONE") continue;
      await directory.refresh();
      log.info({ tenant: name, key: keyId }, "audit: tenant changed");
      return answer(200, after);
    }
    throw serverBusy();
  };
}

/** DELETE /admin/tenants/{name}: with its keys, and only when it has no sessions. */
export function deleteTenant({ store, directory, places, log }: TenantAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const name = nameIn(request);
    if (name === defaultTenant) throw defaultTenantStays();
    let outcome = await store.deleteTenant(name);
    // Places of sessions that are gone are no sessions.
    if (outcome === "SESSIONS" && (await places.tidy(name)) > 0) outcome = await store.deleteTenant(name);
    if (outcome === "GONE") throw tenantNotFound();
    if (outcome === "SESSIONS") throw tenantHasSessions();
    await directory.refresh();
    log.info({ tenant: name, key: keyId }, "audit: tenant deleted");
    return json(200, JSON.stringify({ name } satisfies TenantReference));
  };
}

/** Every name that there can be reads the same in percent-encoding: what needs decoding is none. */
function nameIn({ params }: HttpRequest): TenantName {
  const name = params["name"];
  if (!isTenantName(name)) throw tenantNotFound();
  return name;
}

async function stored(store: Pick<DirectoryStore, "read">, name: TenantName): Promise<TenantRecord> {
  const tenant = (await store.read()).tenants.get(name);
  if (tenant === undefined) throw tenantNotFound();
  return tenant;
}

function answer(status: number, tenant: TenantRecord): JsonAnswer {
  return json(status, JSON.stringify(shown(tenant)));
}

/** A customer of the deployment. */
export interface ShownTenant {
  /** Its name. */
  name: string;
  /** When it was made. */
  created: Instant;
  /** What it may have at most; `null`: no limit. */
  quotas: Quotas;
}

/** A tenant that is gone. */
export interface TenantReference {
  /** Its name. */
  name: string;
}

function shown({ name, created, quotas }: TenantRecord): ShownTenant {
  return { name, created, quotas: { ...noQuotas, ...quotas } };
}
