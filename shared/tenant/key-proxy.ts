/** Returns the context that an API key's sealed proxy is bound to. */
export const keyProxyContext = (keyId: string): string => `v1|key|${keyId}|proxy`;
