/** What the proxy of an api key, sealed with a key of the ring, is bound to. */
export const keyProxyContext = (keyId: string): string => `v1|key|${keyId}|proxy`;
