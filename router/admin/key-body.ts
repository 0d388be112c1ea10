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

/** `POST /admin/keys`. */
export interface NewKeyForm {
  /** Whose it is to be; absent for the role `admin`. */
  tenant?: string;
  /** `admin`: everything; `tenant`: its tenant's sessions; `create`: `POST /session` alone; `read`: to look at its tenant's sessions and the members. */
  role: KeyRole;
  /** For people to read: one line of at most 64 characters. */
  label?: string;
  /** When it ends by itself: an instant in the future, with a zone. Without one it lasts until it is revoked. */
  expires?: Instant;
  /**
   * What the sessions that are created with it go through, in the place of their tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Not for the role `read`, which creates none.
   * Kept sealed, never shown.
   */
  proxy?: string;
}

/** `PATCH /admin/keys/{id}`. */
export interface KeyChangeForm {
  /**
   * What the sessions that are created with it from now on go through; `null`: their tenant's proxy, or nothing. Those that it created before keep what they have: `PUT /admin/sessions/{id}/proxy`
   * changes that.
   */
  proxy?: string | null;
}

export interface NewKey {
  readonly tenant: TenantName | "";
  readonly role: KeyRole;
  readonly label: string;
  /** ISO 8601 in UTC; empty for a key that lasts until it is revoked. */
  readonly expires: string;
  /** Empty for none. */
  readonly proxy: string;
}

/** `POST /admin/keys`. `now`: wall clock. */
export function parseNewKey(body: object, now: number): NewKey {
  const { tenant, role: given, label, expires, proxy }: Partial<Record<keyof NewKeyForm, unknown>> = body;
  const role = keyRoles.find((known) => known === given);
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

/** `PATCH /admin/keys/{id}`, of a key of this role: its proxy from now on, empty for none; `undefined`: it stays. */
export function parseKeyChange(body: object, role: KeyRole): string | undefined {
  const { proxy }: { proxy?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["proxy"]), ...faultsOfKeyProxy(proxy, role)];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return proxy === undefined ? undefined : proxyIn(proxy);
}

/** One that would be used for nothing is not taken. */
function faultsOfKeyProxy(proxy: unknown, role: KeyRole | undefined): string[] {
  return role === "read" && !isEmpty(proxy) ? [mustBeEmptyForRead("proxy")] : faultsOfProxy(proxy);
}
