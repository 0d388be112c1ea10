/** Returns the context that a tenant's sealed proxy is bound to. */
export const tenantProxyContext = (tenant: string): string => `v1|tenant|${tenant}|proxy`;
