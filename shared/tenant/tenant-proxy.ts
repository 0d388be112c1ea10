/** What a tenant's proxy, sealed with a key of the ring, is bound to. */
export const tenantProxyContext = (tenant: string): string => `v1|tenant|${tenant}|proxy`;
