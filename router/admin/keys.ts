import { ApiError } from "../../shared/contract/api-error.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { isTenantName } from "../../shared/contract/tenant.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import { keyProxyContext } from "../../shared/tenant/key-proxy.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { readJson } from "../endpoint/json-body.js";
import type { Identity } from "../http/identity.js";
import { json } from "../http/response.js";
import { hashOfKey, isKeyId, newApiKey, newKeyId } from "../tenant/api-key.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { KeyRole } from "../tenant/principal.js";
import { incarnationOf, type KeyRecord } from "../tenant/records.js";
import { parsePage, parseQuery, type PageForm } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { parseKeyChange, parseNewKey, type NewKey } from "./key-body.js";
import { pageOf } from "./page.js";
import { openProxy, sealProxy, shownOrNull } from "./sealed-proxy.js";
import { faultsOfTenant } from "./tenant-body.js";
import { keyNotFound, noMoreKeys, tenantNotFound } from "../http/errors.js";

/** `GET /admin/keys`. */
export interface KeyQuery extends PageForm {
  /** Only keys of this tenant. */
  tenant?: string;
}

/** A revoked API key. */
export interface KeyReference {
  /** Id of the key. */
  id: string;
}

export interface KeyAdminParts {
  readonly store: Pick<DirectoryStore, "read" | "uses" | "createKey" | "changeKeyProxy" | "deleteKey">;
  readonly ring: Pick<KeyRing, "open" | "seal">;
  /** Refreshed after a change, so that the caller's next request already sees it here. */
  readonly directory: Pick<KeyDirectory, "refresh" | "tenant">;
  readonly log: Log;
}

/** GET /admin/keys?tenant=, in the order of creation. */
export function listKeys({ store, ring }: KeyAdminParts): AdminHandler {
  return async (request) => {
    const { tenant = "", ...paging } = parseQuery(await toHttpInput(request), ["tenant", "limit", "after"]);
    const query = parsePage(paging);
    if (tenant !== "" && !isTenantName(tenant)) throw new ApiError(400, faultsOfTenant("tenant", tenant).join("\n"));
    const [{ keys, keyProxies }, uses] = await Promise.all([store.read(), store.uses()]);
    const page = pageOf(
      keys.filter((key) => tenant === "" || key.tenant === tenant),
      ({ id }) => id,
      query,
    );
    const body = {
      ...page,
      docs: page.docs.map((key) => shown(key, openProxy(ring, keyProxies.get(key.id) ?? "", keyProxyContext(key.id)), uses[key.id])),
    };
    return json(200, JSON.stringify(body));
  };
}

/** POST /admin/keys `{tenant, role, label?, expires?, proxy?}`. Only this response shows the key. */
export function createKey(parts: KeyAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const wanted = parseNewKey(await readJson(request), Date.now());
    const { record, key } = await storeNewKey(parts, wanted);
    request.identified({ who: keyId, ...ownerOf(parts.directory, record), made: `keys/${record.id}` });
    parts.log.info({ id: record.id, role: record.role, tenant: record.tenant, key: keyId }, "api key created");
    return json(201, JSON.stringify({ ...shown(record, wanted.proxy), key } satisfies CreatedKey));
  };
}

/** Stores a key. This router knows the key when the promise resolves. */
export async function storeNewKey(
  { store, directory, ring }: Pick<KeyAdminParts, "store" | "directory" | "ring">,
  { tenant, role, label, expires, proxy }: NewKey,
): Promise<{ record: KeyRecord; key: string }> {
  const now = Date.now();
  const key = newApiKey();
  const hash = hashOfKey(key).toString("hex");
  const record: KeyRecord = { id: newKeyId(now), hash, tenant, role, label, created: new Date(now).toISOString(), expires };
  const outcome = await store.createKey(record, sealProxy(ring, proxy, keyProxyContext(record.id)));
  if (outcome === "NOTENANT") throw tenantNotFound();
  if (outcome === "FULL") throw noMoreKeys();
  await directory.refresh();
  return { record, key };
}

/** PATCH /admin/keys/{id} `{proxy?}`: sets the proxy of sessions that the key creates from now on. Existing sessions keep theirs. */
export function changeKey({ store, directory, ring, log }: KeyAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const id = request.params["id"] ?? "";
    const body = await readJson(request);
    const { keys, keyProxies } = await store.read();
    const record = keys.find((key) => key.id === id);
    if (record === undefined) throw keyNotFound();
    const proxy = parseKeyChange(body, record.role);
    const context = keyProxyContext(id);
    if (proxy !== undefined && (await store.changeKeyProxy(id, sealProxy(ring, proxy, context))) === "GONE") throw keyNotFound();
    await directory.refresh();
    request.identified({ who: keyId, ...ownerOf(directory, record) });
    log.info({ id, tenant: record.tenant, key: keyId }, "api key changed");
    const { [id]: lastUsed } = await store.uses();
    return json(200, JSON.stringify(shown(record, proxy ?? openProxy(ring, keyProxies.get(id) ?? "", context), lastUsed)));
  };
}

/** DELETE /admin/keys/{id}: every router rejects the key within a second. */
export function deleteKey({ store, directory, log }: KeyAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const id = request.params["id"] ?? "";
    const record = isKeyId(id) ? (await store.read()).keys.find((key) => key.id === id) : undefined;
    if (record === undefined || (await store.deleteKey(record.id)) === "GONE") throw keyNotFound();
    await directory.refresh();
    request.identified({ who: keyId, ...ownerOf(directory, record) });
    log.info({ id, tenant: record.tenant, key: keyId }, "api key revoked");
    return json(200, JSON.stringify({ id } satisfies KeyReference));
  };
}

/** Returns the key's owner for the audit. */
function ownerOf(directory: Pick<KeyDirectory, "tenant">, { tenant }: KeyRecord): Pick<Identity, "tenant" | "incarnation"> {
  const record = tenant === "" ? undefined : directory.tenant(tenant);
  return record === undefined ? { tenant } : { tenant, incarnation: incarnationOf(record) };
}

/** An API key without its secret value. */
export interface ApiKey {
  /** Id of the key, 20 hex digits. Not secret: the audit log contains it. */
  readonly id: string;
  /** Tenant of the key. `null` for the role `admin`. */
  readonly tenant: string | null;
  /** Role of the key. */
  readonly role: KeyRole;
  /** Label of the key. */
  readonly label: string;
  /** Time of creation. */
  readonly created: Instant;
  /** Expiry time. `null`: valid until revoked. */
  readonly expires: Instant | null;
  /** Proxy of sessions created with the key, without its login. `null`: the tenant's proxy, or none. */
  readonly proxy: string | null;
  /** Time of last use, accurate to about a minute. `null` if never used. */
  readonly lastUsed: Instant | null;
}

/** A new API key. */
export interface CreatedKey extends ApiKey {
  /** Secret value for the header `x-api-key`. No other response shows it. */
  readonly key: string;
}

function shown({ id, tenant, role, label, created, expires }: KeyRecord, proxy: string | undefined, lastUsed?: string): ApiKey {
  return {
    id,
    tenant: tenant === "" ? null : tenant,
    role,
    label,
    created,
    expires: expires === "" ? null : expires,
    proxy: shownOrNull(proxy),
    lastUsed: lastUsed ?? null,
  };
}
