import { serverBusy } from "../../shared/contract/errors.js";
import type { Count, Instant } from "../../shared/contract/plain-values.js";
import { defaultTenant, isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import { tenantProxyContext } from "../../shared/tenant/tenant-proxy.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { readJson } from "../endpoint/json-body.js";
import type { HttpRequest } from "../http/request.js";
import { json, type JsonResponse } from "../http/response.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { MessageCounts } from "../tenant/message-days.js";
import type { SessionPlaces } from "../tenant/session-places.js";
import type { TenantRemains } from "./tenant-remains.js";
import { deploymentPace, incarnationOf, noQuotas, type Pace, type Quotas, type TenantRecord } from "../tenant/records.js";
import { parsePage, parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { pageOf } from "./page.js";
import { openProxy, sealProxy, shownOrNull } from "./sealed-proxy.js";
import { parseNewTenant, parseTenantChange, requireWhole } from "./tenant-body.js";
import { defaultTenantStays, noMoreTenants, tenantExists, tenantHasSessions, tenantNotFound } from "../http/errors.js";

export interface TenantAdminParts {
  readonly store: Pick<DirectoryStore, "read" | "createTenant" | "changeTenant" | "deleteTenant" | "proxies">;
  readonly ring: Pick<KeyRing, "open" | "seal">;
  /** Refreshed after a change, so that the caller's next request already sees it here. */
  readonly directory: Pick<KeyDirectory, "refresh">;
  readonly places: Pick<SessionPlaces, "tidy">;
  readonly messages: MessageCounts;
  readonly remains: Pick<TenantRemains, "erase">;
  readonly log: Log;
}

/** Most retries after concurrent changes. More of them mean that something is wrong. */
const changesMax = 5;

/** GET /admin/tenants, in the order of their names. */
export function listTenants({ store, ring, messages }: TenantAdminParts): AdminHandler {
  return async (request) => {
    const query = parsePage(parseQuery(await toHttpInput(request), ["limit", "after"]));
    const page = pageOf([...(await store.read()).tenants.values()], ({ name }) => name, query);
    const [proxies, usage] = await Promise.all([store.proxies(page.docs.map(({ name }) => name)), usageOf(messages, page.docs)]);
    const docs = page.docs.map((tenant, index) =>
      shown(tenant, openProxy(ring, proxies[index] ?? "", tenantProxyContext(tenant.name)), usage.get(tenant.name)),
    );
    return json(200, JSON.stringify({ ...page, docs }));
  };
}

/** POST /admin/tenants `{name, quotas?, pace?, proxy?}`. */
export function createTenant({ store, ring, directory, messages, log }: TenantAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const { name, quotas, pace, proxy } = parseNewTenant(await readJson(request));
    requireWhole(quotas);
    const tenant: TenantRecord = { name, created: new Date().toISOString(), quotas, pace };
    const outcome = await store.createTenant(tenant, sealProxy(ring, proxy, tenantProxyContext(name)));
    if (outcome === "EXISTS") throw tenantExists();
    if (outcome === "FULL") throw noMoreTenants();
    await directory.refresh();
    request.identified({ who: keyId, tenant: name, incarnation: incarnationOf(tenant), made: `tenants/${name}` });
    log.info({ tenant: name, key: keyId }, "tenant created");
    return tenantResponse(201, tenant, proxy, await usageOf(messages, [tenant]));
  };
}

/** GET /admin/tenants/{name}. */
export function getTenant({ store, ring, messages }: TenantAdminParts): AdminHandler {
  return async (request) => {
    const tenant = await stored(store, nameIn(request));
    return tenantResponse(200, tenant, await readProxy(store, ring, tenant.name), await usageOf(messages, [tenant]));
  };
}

/** PATCH /admin/tenants/{name} `{quotas?, pace?, proxy?}`. A quota may be set below the current use, and applies from then on. */
export function changeTenant({ store, ring, directory, messages, log }: TenantAdminParts): AdminHandler {
  return async (request, signal, { keyId }) => {
    const name = nameIn(request);
    const { quotas, pace, proxy } = parseTenantChange(await readJson(request));
    const sealed = proxy === undefined ? undefined : sealProxy(ring, proxy, tenantProxyContext(name));
    for (let tries = 0; tries < changesMax; tries++) {
      signal.throwIfAborted();
      const before = await stored(store, name);
      const after: TenantRecord = { ...before, quotas: { ...before.quotas, ...quotas }, pace: { ...before.pace, ...pace } };
      requireWhole(after.quotas);
      if ((await store.changeTenant(before, after, sealed)) !== "DONE") continue;
      await directory.refresh();
      request.identified({ who: keyId, tenant: name, incarnation: incarnationOf(after) });
      log.info({ tenant: name, key: keyId }, "tenant changed");
      return tenantResponse(200, after, proxy ?? (await readProxy(store, ring, name)), await usageOf(messages, [after]));
    }
    throw serverBusy();
  };
}

/** DELETE /admin/tenants/{name}: deletes the tenant with its keys and remaining data. Requires that it has no sessions. */
export function deleteTenant({ store, directory, places, remains, log }: TenantAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const name = nameIn(request);
    if (name === defaultTenant) throw defaultTenantStays();
    const { tenants, keys } = await store.read();
    const tenant = tenants.get(name);
    if (tenant === undefined) throw tenantNotFound();
    let outcome = await store.deleteTenant(name);
    // Places of sessions that no longer exist do not count.
    if (outcome === "SESSIONS" && (await places.tidy(name)) > 0) outcome = await store.deleteTenant(name);
    if (outcome === "GONE") throw tenantNotFound();
    if (outcome === "SESSIONS") throw tenantHasSessions();
    await directory.refresh();
    request.identified({ who: keyId, tenant: name, incarnation: incarnationOf(tenant) });
    log.info({ tenant: name, key: keyId }, "tenant deleted");
    const keyIds = keys.filter((key) => key.tenant === name).map(({ id }) => id);
    // A new tenant with the same name has another incarnation and cannot reach this data.
    await remains.erase(name, keyIds).catch((error: unknown) => log.warn({ err: error, tenant: name }, "deleted tenant data not erased"));
    return json(200, JSON.stringify({ name } satisfies TenantReference));
  };
}

/** Valid names never need percent-encoding, so an encoded name is rejected. */
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

/** Returns the proxy; empty for none, `undefined` if it cannot be decrypted. */
async function readProxy(store: Pick<DirectoryStore, "proxies">, ring: Pick<KeyRing, "open">, name: string): Promise<string | undefined> {
  return openProxy(ring, (await store.proxies([name]))[0] ?? "", tenantProxyContext(name));
}

/** Reads the usage of those tenants that have a daily limit. */
async function usageOf(messages: MessageCounts, tenants: readonly TenantRecord[]): Promise<ReadonlyMap<string, TenantUsage>> {
  const counted = tenants.flatMap(({ name, quotas }) => (isTenantName(name) && typeof quotas.messagesPerDay === "number" ? [name] : []));
  const counts = await messages.today(counted);
  return new Map(counted.map((name, index) => [name, { messagesToday: counts[index] ?? 0 }]));
}

function tenantResponse(
  status: number,
  tenant: TenantRecord,
  proxy: string | undefined,
  usage: ReadonlyMap<string, TenantUsage>,
): JsonResponse {
  return json(status, JSON.stringify(shown(tenant, proxy, usage.get(tenant.name))));
}

/** A tenant with its limits. */
export interface Tenant {
  /** Name of the tenant. */
  name: string;
  /** Time of creation. */
  created: Instant;
  /** Limits of the tenant. `null`: no limit. */
  quotas: Quotas;
  /** Limits for sending messages, per session. */
  pace: Pace;
  /** Proxy of the tenant's sessions, without its login. `null`: no proxy. */
  proxy: string | null;
  /** Use of the quotas. Absent for a tenant without `messagesPerDay`. */
  usage?: TenantUsage;
}

/** What a tenant has used of its quotas. */
export interface TenantUsage {
  /** Messages that count for `messagesPerDay` on the current UTC day. */
  messagesToday: Count;
}

/** A deleted tenant. */
export interface TenantReference {
  /** Name of the tenant. */
  name: string;
}

function shown({ name, created, quotas, pace }: TenantRecord, proxy: string | undefined, usage: TenantUsage | undefined): Tenant {
  return {
    name,
    created,
    quotas: { ...noQuotas, ...quotas },
    pace: { ...deploymentPace, ...pace },
    proxy: shownOrNull(proxy),
    ...(usage === undefined ? {} : { usage }),
  };
}
