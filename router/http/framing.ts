import type { RequestHead } from "./request.js";

/**
 * Returns false if two servers could read the bytes as different requests, as request smuggling needs (RFC 9112, 3.2 and 6.3). The engine
 * accepts most such requests, and rejects others only after it has called the handler.
 */
export function hasCertainEnd({ headers }: RequestHead): boolean {
  const lengths = headers.get("content-length");
  const codings = headers.get("transfer-encoding");
  const hosts = headers.get("host");
  if (hosts?.length !== 1 || !host.test(hosts[0] ?? "")) return false;
  if (codings !== undefined) return lengths === undefined && codings.length === 1 && codings[0] === "chunked";
  return lengths === undefined || (lengths.length === 1 && /^\d{1,15}$/.test(lengths[0] ?? ""));
}

/** Characters of a host name, address or port (RFC 3986, section 3.2.2). */
const host = /^[\w.~!$&'()*+,;=:%[\]-]*$/;
