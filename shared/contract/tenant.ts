/** A customer of this deployment: `[a-z0-9-]{1,32}`. */
export type TenantName = string & { readonly __brand: "TenantName" };

/**
 * A tenant from its creation to its deletion. `incarnation` is its time of creation, which differs for a later tenant of the same name.
 * Empty for `default`, which cannot be deleted.
 */
export interface TenantLife {
  readonly tenant: TenantName;
  readonly incarnation: string;
}

/** An item that a tenant owns. If `incarnation` is unknown, `madeAt` (ISO 8601), if present, decides which tenant of that name owns it. */
export interface OfTenant {
  readonly tenant: TenantName;
  readonly incarnation?: string | undefined;
  readonly madeAt?: string | undefined;
}

/** Returns false for an item of a deleted tenant with the same name. */
export function isSameTenant({ tenant, incarnation }: TenantLife, owned: OfTenant): boolean {
  if (owned.tenant !== tenant) return false;
  if (incarnation === "") return true;
  if (owned.incarnation !== undefined && owned.incarnation !== "") return owned.incarnation === incarnation;
  return owned.madeAt === undefined || owned.madeAt >= incarnation;
}

/** Always exists. Everything that admins create belongs to it. */
export const defaultTenant = "default" as TenantName;

export function isTenantName(value: unknown): value is TenantName {
  return typeof value === "string" && /^[a-z0-9-]{1,32}$/.test(value);
}
