/** A customer of this deployment: `[a-z0-9-]{1,32}`. */
export type TenantName = string & { readonly __brand: "TenantName" };

/** Always exists; sessions from before there were tenants belong to it. */
export const defaultTenant = "default" as TenantName;

export function isTenantName(value: unknown): value is TenantName {
  return typeof value === "string" && /^[a-z0-9-]{1,32}$/.test(value);
}
