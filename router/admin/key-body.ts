import { ApiError } from "../../shared/contract/api-error.js";
import { isEmpty, mustBeEmptyForAdmin, mustBeFuture, mustBeOneOf } from "../../shared/contract/rules.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import { faultsOfLabel } from "../session/notes.js";
import { keyRoles, type KeyRole } from "../tenant/principal.js";
import { faultsOfUnknown } from "./admin-input.js";
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
}

export interface NewKey {
  readonly tenant: TenantName | "";
  readonly role: KeyRole;
  readonly label: string;
  /** ISO 8601 in UTC; empty for a key that lasts until it is revoked. */
  readonly expires: string;
}

/** `POST /admin/keys`. `now`: wall clock. */
export function parseNewKey(body: object, now: number): NewKey {
  const { tenant, role: given, label, expires }: { tenant?: unknown; role?: unknown; label?: unknown; expires?: unknown } = body;
  const role = keyRoles.find((known) => known === given);
  const expiresAt = instantOf(expires);
  const faults = [
    ...faultsOfUnknown(body, ["tenant", "role", "label", "expires"]),
    ...(role === "admin" ? (isEmpty(tenant) ? [] : [mustBeEmptyForAdmin("tenant")]) : faultsOfTenant("tenant", tenant)),
    ...(role === undefined ? [mustBeOneOf("role", keyRoles)] : []),
    ...faultsOfLabel("label", label),
    ...(isEmpty(expires) || (expiresAt !== undefined && expiresAt > now) ? [] : [mustBeFuture("expires")]),
  ];
  if (faults.length > 0 || role === undefined) throw new ApiError(400, faults.join("\n"));
  return {
    tenant: isTenantName(tenant) ? tenant : "",
    role,
    label: typeof label === "string" ? label : "",
    expires: expiresAt === undefined ? "" : new Date(expiresAt).toISOString(),
  };
}

/** With a zone, so that it is one instant for everybody. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function instantOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !instant.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}
