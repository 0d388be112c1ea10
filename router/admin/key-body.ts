import { ApiError } from "../../shared/contract/api-error.js";
import { isEmpty, mustBeEmptyForAdmin, mustBeEmptyForRead, mustBeFuture, mustBeOneOf } from "../../shared/contract/rules.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import { faultsOfLabel } from "../api/notes.js";
import { faultsOfProxy, proxyIn } from "../api/proxy.js";
import { keyRoles, type KeyRole } from "../tenant/principal.js";
import { faultsOfUnknown } from "./admin-input.js";
import { instantOf } from "./instant.js";
import { faultsOfTenant } from "./tenant-body.js";

/** A new API key. */
export interface NewKeyForm {
  /** Tenant of the key. Absent for the role `admin`. */
  tenant?: string;
  /**
   * `admin`: full access; `tenant`: full access to the tenant's sessions; `create`: only `POST /session`; `read`: read-only access to
   * the tenant's sessions and the cluster.
   */
  role: KeyRole;
  /** Name for people: one line of at most 64 characters. */
  label?: string;
  /** Expiry time: in the future, with a time zone. Default: valid until revoked. */
  expires?: Instant;
  /**
   * Proxy of sessions created with the key, instead of the tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Not for
   * the role `read`. Stored encrypted. Responses never include its login.
   */
  proxy?: string;
}

/** Changes of an API key. */
export interface KeyChangeForm {
  /**
   * Proxy of sessions created with the key from now on. `null`: the tenant's proxy, or none. Existing sessions keep their proxy; change
   * it with `PUT /admin/sessions/{id}/proxy`.
   */
  proxy?: string | null;
}

export interface NewKey {
  readonly tenant: TenantName | "";
  readonly role: KeyRole;
  readonly label: string;
  /** ISO 8601 in UTC; empty for a key without an expiry. */
  readonly expires: string;
  /** Empty for none. */
  readonly proxy: string;
}

/** Parses `POST /admin/keys`. `now`: wall clock. */
export function parseNewKey(body: object, now: number): NewKey {
  const { tenant, role: given, label, expires, proxy }: Partial<Record<keyof NewKeyForm, unknown>> = body;
  const role = keyRoles.find((candidate) => candidate === given);
  const expiresAt = typeof expires === "string" ? instantOf(expires) : undefined;
  const faults = [
    ...faultsOfUnknown(body, ["tenant", "role", "label", "expires", "proxy"]),
    ...(role === "admin" ? (isEmpty(tenant) ? [] : [mustBeEmptyForAdmin("tenant")]) : faultsOfTenant("tenant", tenant)),
    ...(role === undefined ? [mustBeOneOf("role", keyRoles)] : []),
    ...faultsOfLabel("label", label),
    ...(isEmpty(expires) || (expiresAt !== undefined && expiresAt > now) ? [] : [mustBeFuture("expires")]),
    ...faultsOfKeyProxy(proxy, role),
  ];
  if (faults.length > 0 || role === undefined) throw new ApiError(400, faults.join("\n"));
  return {
    tenant: isTenantName(tenant) ? tenant : "",
    role,
    label: typeof label === "string" ? label : "",
    expires: expiresAt === undefined ? "" : new Date(expiresAt).toISOString(),
    proxy: proxyIn(proxy),
  };
}

/** Parses `PATCH /admin/keys/{id}` for a key of this role. Returns the new proxy, empty for none, or `undefined` for no change. */
export function parseKeyChange(body: object, role: KeyRole): string | undefined {
  const { proxy }: { proxy?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["proxy"]), ...faultsOfKeyProxy(proxy, role)];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return proxy === undefined ? undefined : proxyIn(proxy);
}

/** Rejects a proxy that the key's role could never use. */
function faultsOfKeyProxy(proxy: unknown, role: KeyRole | undefined): string[] {
  return role === "read" && !isEmpty(proxy) ? [mustBeEmptyForRead("proxy")] : faultsOfProxy(proxy);
}
