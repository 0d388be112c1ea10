/** A customer of this deployment: `[a-z0-9-]{1,32}`. */
export type TenantName = string & { readonly __brand: "TenantName" };

/**
 * A tenant from its creation to its deletion. `incarnation` is when it was created: another tenant that gets the same name later has another one. Empty for the tenant
 * `default`, which cannot be deleted.
 */
export interface TenantLife {
  readonly tenant: TenantName;
  readonly incarnation: string;
}

/** Something that belongs to a tenant. Where `incarnation` is not known, `madeAt` (ISO 8601) tells which tenant of the name it belongs to, if that is. */
export interface OfTenant {
  readonly tenant: TenantName;
  readonly incarnation?: string | undefined;
  readonly madeAt?: string | undefined;
}

/** False for what belonged to a deleted tenant of the same name. */
export function isSameTenant({ tenant, incarnation }: TenantLife, owned: OfTenant): boolean {
  if (owned.tenant !== tenant) return false;
  if (incarnation === "") return true;
  if (owned.incarnation !== undefined && owned.incarnation !== "") return owned.incarnation === incarnation;
  return owned.madeAt === undefined || owned.madeAt >= incarnation;
}

/** Always exists; what admins create belongs to it. */
export const defaultTenant = "default" as TenantName;

export function isTenantName(value: unknown): value is TenantName {
  return typeof value === "string" && /^[a-z0-9-]{1,32}$/.test(value);
}
