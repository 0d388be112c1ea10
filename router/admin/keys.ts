import { ApiError } from "../../shared/contract/api-error.js";
import { isTenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { readJson } from "../endpoint/json-body.js";
import { json } from "../http/response.js";
import { hashOfKey, isKeyId, newApiKey, newKeyId } from "../tenant/api-key.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { KeyRecord } from "../tenant/records.js";
import { parsePage, parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-route.js";
import { parseNewKey, type NewKey } from "./key-body.js";
import { pageOf } from "./page.js";
import { faultsOfTenant } from "./tenant-body.js";
import { tenantNotFound } from "./tenants.js";

export interface KeyAdminParts {
  readonly store: Pick<DirectoryStore, "read" | "uses" | "createKey" | "deleteKey">;
  /** Looks at once after a change, so that the caller's next request finds it here. */
  readonly directory: Pick<KeyDirectory, "refresh">;
  readonly log: Log;
}

/** GET /admin/keys?tenant=, in the order in which they were made. */
export function listKeys({ store }: KeyAdminParts): AdminHandler {
  return async (request) => {
    const { tenant = "", ...asked } = parseQuery(await toHttpInput(request), ["tenant", "limit", "after"]);
    const query = parsePage(asked);
    if (tenant !== "" && !isTenantName(tenant)) throw new ApiError(400, faultsOfTenant("tenant", tenant).join("\n"));
    const [{ keys }, uses] = await Promise.all([store.read(), store.uses()]);
    const page = pageOf(
      keys.filter((key) => tenant === "" || key.tenant === tenant),
      ({ id }) => id,
      query,
    );
    return json(200, JSON.stringify({ ...page, docs: page.docs.map((key) => shown(key, uses[key.id] ?? null)) }));
  };
}

/** POST /admin/keys `{tenant, role, label?, expires?}`: the only answer that ever shows the key. */
export function createKey(parts: KeyAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const { record, key } = await storeNewKey(parts, parseNewKey(await readJson(request), Date.now()));
    parts.log.info({ made: record.id, role: record.role, tenant: record.tenant, key: keyId }, "audit: api key created");
    return json(201, JSON.stringify({ ...shown(record, null), key }));
  };
}

/** Makes a key that this router knows when it resolves. */
export async function storeNewKey(
  { store, directory }: Pick<KeyAdminParts, "store" | "directory">,
  { tenant, role, label, expires }: NewKey,
): Promise<{ record: KeyRecord; key: string }> {
  const now = Date.now();
  const key = newApiKey();
  const hash = hashOfKey(key).toString("hex");
  const record: KeyRecord = { id: newKeyId(now), hash, tenant, role, label, created: new Date(now).toISOString(), expires };
  const outcome = await store.createKey(record);
  if (outcome === "NOTENANT") throw tenantNotFound();
  if (outcome === "FULL") throw new ApiError(409, "no more keys");
  await directory.refresh();
  return { record, key };
}

/** DELETE /admin/keys/{id}: it ends at every router within a second. */
export function deleteKey({ store, directory, log }: KeyAdminParts): AdminHandler {
  return async (request, _signal, { keyId }) => {
    const id = request.params["id"] ?? "";
    if (!isKeyId(id) || (await store.deleteKey(id)) === "GONE") throw new ApiError(404, "key not found");
    await directory.refresh();
    log.info({ revoked: id, key: keyId }, "audit: api key revoked");
    return json(200, JSON.stringify({ id }));
  };
}

/** What is told of a key that exists. */
interface ShownKey {
  readonly id: string;
  readonly tenant: string | null;
  readonly role: string;
  readonly label: string;
  readonly created: string;
  readonly expires: string | null;
  readonly lastUsed: string | null;
}

function shown({ id, tenant, role, label, created, expires }: KeyRecord, lastUsed: string | null): ShownKey {
  return { id, tenant: tenant === "" ? null : tenant, role, label, created, expires: expires === "" ? null : expires, lastUsed };
}
